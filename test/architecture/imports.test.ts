import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))
const core = join(root, 'core/src')
const FOUNDATION = new Set(['kernel', 'database'])
const MAY_KNOW_THE_CONTAINER = /(^|\/)(module|registry|token|plugin|index)\.ts$/
const LONGEST_FILE = 300

interface Import {
  /** Path of the importing file, from the root of the repository. */
  readonly from: string
  readonly specifier: string
  /** Area and file of core that a relative import leads to. */
  readonly to: string
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))

const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:^|\n)(?:import|export)\b[^'"]*?from '([^']+)'/g)].map(
    ([, specifier = '']) => ({
      from: relative(root, file),
      specifier,
      to: specifier.startsWith('.') ? relative(core, resolve(dirname(file), specifier)) : specifier,
    }),
  )

const areaOf = (path: string): string => path.split('/')[0] ?? ''
const described = (wrong: Import[]) => wrong.map(({ from, specifier }) => `${from} imports ${specifier}`)

describe('the architecture', () => {
  const coreImports = sourcesIn(core).flatMap(importsOf)
  const packages = [...readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}`), 'host']
  const outside = packages.flatMap((name) => sourcesIn(join(root, name, 'src'))).flatMap(importsOf)

  it('lets the kernel import nothing of core, and the database only the kernel', () => {
    const wrong = coreImports.filter(({ from, to, specifier }) => {
      const area = areaOf(relative('core/src', from))
      if (!specifier.startsWith('.')) return false
      if (area === 'kernel') return areaOf(to) !== 'kernel'
      return area === 'database' && !FOUNDATION.has(areaOf(to))
    })
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets an area use another only through its index.ts', () => {
    const wrong = coreImports.filter(({ from, to, specifier }) => {
      const area = areaOf(relative('core/src', from))
      if (!specifier.startsWith('.') || area.endsWith('.ts') || FOUNDATION.has(area)) return false
      return areaOf(to) !== area && !FOUNDATION.has(areaOf(to)) && !/^[^/]+\/index\.js$/.test(to)
    })
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets only modules, the composition and plugins know the container', () => {
    const wrong = [...coreImports, ...outside].filter(
      ({ from, specifier }) =>
        specifier === 'inversify' && !MAY_KNOW_THE_CONTAINER.test(from) && !from.startsWith('host/'),
    )
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets plugins and the host use core only by its public names', () => {
    const wrong = outside.filter(({ specifier }) => /core\/(src|dist)/.test(specifier))
    expect(described(wrong)).to.deep.equal([])
  })

  it('keeps HTTP servers out of core', () => {
    const wrong = coreImports.filter(({ specifier }) => /^(fastify|@fastify\/.*)$/.test(specifier))
    expect(described(wrong)).to.deep.equal([])
  })

  it(`keeps source files at ${LONGEST_FILE} lines or fewer, data excepted`, () => {
    const all = [core, ...packages.map((name) => join(root, name, 'src'))].flatMap(sourcesIn)
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length
    const long = all.filter(
      (file) => lines(file) > LONGEST_FILE && !/errors\.ts$|consts\.ts$|schema\.ts$|-module\.ts$/.test(file),
    )
    expect(long.map((file) => relative(root, file))).to.deep.equal([])
  })
})
