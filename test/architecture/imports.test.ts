import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))
const core = join(root, 'core/registry/src')
const FOUNDATION = new Set(['kernel', 'database'])
const MAY_KNOW_THE_CONTAINER = /^core\/registry\/src\/kernel\//
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

/** One path for each cycle in a graph. */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = []
  const way: string[] = []
  const seen = new Set<string>()
  const walk = (place: string) => {
    if (way.includes(place)) circles.push([...way.slice(way.indexOf(place)), place])
    if (seen.has(place)) return
    seen.add(place)
    way.push(place)
    for (const next of arrows.get(place) ?? []) walk(next)
    way.pop()
  }
  for (const place of arrows.keys()) walk(place)
  return circles
}

/** The imports of each file within its package, mapped by `placeOf`; type imports count, too. */
function arrowsBetween(files: readonly string[], placeOf: (file: string) => string): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const file of files) {
    const from = placeOf(file)
    const others = arrows.get(from) ?? new Set()
    arrows.set(from, others)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
      const to = placeOf(resolve(dirname(file), `${path}.ts`))
      if (to !== from) others.add(to)
    }
  }
  return arrows
}

/** The top-level folder of a file below a source folder; a top-level file stands for itself. */
const folderIn = (sources: string) => (file: string) => relative(sources, file).replace(/\/.*/, '/')

describe('the architecture', () => {
  const coreImports = sourcesIn(core).flatMap(importsOf)
  const packages = [...readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}`), 'host', 'create-plugin']
  const sources = [...packages, 'core/registry', 'core/verifier', 'core/client'].map((name) => join(root, name, 'src'))
  const all = sources.flatMap(sourcesIn)
  const outside = packages.flatMap((name) => sourcesIn(join(root, name, 'src'))).flatMap(importsOf)

  it('lets the kernel import nothing of core, and the database only the kernel', () => {
    const wrong = coreImports.filter(({ from, to, specifier }) => {
      const area = areaOf(relative('core/registry/src', from))
      if (!specifier.startsWith('.')) return false
      if (area === 'kernel') return areaOf(to) !== 'kernel'
      return area === 'database' && !FOUNDATION.has(areaOf(to))
    })
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets an area use another only through its index.ts', () => {
    const wrong = coreImports.filter(({ from, to, specifier }) => {
      const area = areaOf(relative('core/registry/src', from))
      if (!specifier.startsWith('.') || area.endsWith('.ts') || FOUNDATION.has(area)) return false
      return areaOf(to) !== area && !FOUNDATION.has(areaOf(to)) && !/^[^/]+\/index\.js$/.test(to)
    })
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets only the kernel know the container', () => {
    const wrong = [...coreImports, ...outside].filter(
      ({ from, specifier }) => specifier === 'inversify' && !MAY_KNOW_THE_CONTAINER.test(from),
    )
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets plugins and the host use core only by its public names', () => {
    const wrong = outside.filter(({ specifier }) => /(core|verifier|registry)\/(src|dist)/.test(specifier))
    expect(described(wrong)).to.deep.equal([])
  })

  it('lets nobody import private files of packages', () => {
    const wrong = all
      .flatMap(importsOf)
      .filter(({ specifier }) => /^(@[^/]+\/)?[^./@][^/]*\/(lib|src)\//.test(specifier))
    expect(described(wrong)).to.deep.equal([])
  })

  it('keeps HTTP servers out of core', () => {
    const wrong = coreImports.filter(({ specifier }) => /^(fastify|@fastify\/.*)$/.test(specifier))
    expect(described(wrong)).to.deep.equal([])
  })

  it('has no import cycles between files', () => {
    expect(circlesIn(arrowsBetween(all, (file) => file))).to.deep.equal([])
  })

  for (const folder of [...sources, join(root, 'plugins/pages/browser')]) {
    it(`has no import cycles between folders of ${relative(root, folder)}`, () => {
      expect(circlesIn(arrowsBetween(sourcesIn(folder), folderIn(folder)))).to.deep.equal([])
    })
  }

  it(`keeps source files at ${LONGEST_FILE} lines or fewer, data excepted`, () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length
    const long = all.filter(
      (file) =>
        lines(file) > LONGEST_FILE &&
        !/errors\.ts$|consts\.ts$|examples\.ts$|refusals\.ts$|schema\.ts$|texts\/..\.ts$|client\/src\/operations\.ts$|-module\.ts$|src\/index\.ts$/.test(
          file,
        ),
    )
    expect(long.map((file) => relative(root, file))).to.deep.equal([])
  })
})
