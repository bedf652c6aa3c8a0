import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'chai'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const namesIn = (folder: string): string[] => readdirSync(new URL(`${folder}/`, root))

/** The second column of the table in docs/naming.md, less its row about globals. */
const section = read('docs/naming.md').split('## We say, we do not say')[1]?.split('\n## ')[0] ?? ''
const never = [...section.matchAll(/^\|[^|]+\|([^|]+)\|[^|]+\|$/gm)]
  .map(([, cell = '']) => cell)
  .filter((cell) => !cell.includes(' exported'))
  .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))

const GENERATED = /\/(?:monitoring\/examples|client\/src\/operations)\.ts$/
const packages = [
  ...namesIn('core').map((name) => `core/${name}`),
  ...namesIn('plugins').map((name) => `plugins/${name}`),
  'host',
]
const paths = packages
  .flatMap((name) => [`${name}/src/`, `${name}/browser/`])
  .filter((folder) => existsSync(new URL(folder, root)))
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => folder + name),
  )
  .filter((path) => path.endsWith('.ts') && !GENERATED.test(path) && !path.includes('/migrations/'))

/** Comments and texts are for people: what is left is code. */
const codeOf = (path: string): string =>
  read(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'\\/])\/\/.*/gm, '$1')
    .replace(/'(?:\\.|[^'\\\n])*'/g, "''")

const DECLARED = /\b(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/g
/** Members, parameters and properties: a name before a colon, an opening bracket or an assignment. */
const MEMBER =
  /(?:^\s*(?:(?:private|protected|static|readonly|async|abstract|get|set)\s+)*|[({,]\s*)(\w+)(?=\??\s*:|\s*[(<]|\s*=[^=>])/gm
const EXPORTED = /^export (?:(?:abstract|async|declare) )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm

const found = (code: string, pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = '']) => name)
const sources = paths.map((path) => {
  const code = codeOf(path)
  return {
    path,
    declared: new Set([...found(code, DECLARED), ...found(code, MEMBER)]),
    exported: new Set(found(code, EXPORTED)),
  }
})

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase())
const isConstant = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name)

function says(name: string, forbidden: string): boolean {
  if (isConstant(forbidden) && !isConstant(name)) return false
  return ` ${wordsOf(name).join(' ')} `.includes(` ${wordsOf(forbidden).join(' ')} `)
}

function whereSaid(forbidden: string): string[] {
  if (forbidden.endsWith('.ts')) return paths.filter((path) => basename(path) === forbidden)
  return sources.flatMap(({ path, declared }) => [
    ...(says(basename(path, '.ts'), forbidden) ? [path] : []),
    ...[...declared].filter((name) => says(name, forbidden)).map((name) => `${path}: ${name}`),
  ])
}

/** Classes and namespaces of browsers and Node, and the type that everybody takes for theirs. */
function globals(): Set<string> {
  const compilers = namesIn('node_modules/@typescript').map(
    (name) => `node_modules/@typescript/${name}/lib/lib.dom.d.ts`,
  )
  const library = ['node_modules/typescript/lib/lib.dom.d.ts', ...compilers].find((path) =>
    existsSync(new URL(path, root)),
  )
  if (library === undefined) throw new Error('The library of TypeScript is not where it was')
  const names = found(read(library), /^declare (?:var|function) (\w+)/gm)
  const all = [...names, ...Object.getOwnPropertyNames(globalThis), 'EventListener']
  return new Set(all.filter((name) => /^[A-Z]/.test(name)))
}

/** Ours as well, with its reason in docs/naming.md. */
const ALLOWED = new Set(['Plugin'])

describe('names in code', () => {
  it('are looked for', () => {
    expect(never).to.include.members(['MOST', 'common.ts', 'eachOf'])
    expect(says('BODY_MOST', 'MOST') && says('eachOfThem', 'eachOf')).to.equal(true)
    expect(says('mostRecent', 'MOST') || says('reachOf', 'eachOf')).to.equal(false)
    expect(sources.flatMap(({ declared }) => [...declared])).to.have.length.above(5000)
  })

  for (const forbidden of never) it(`never include ${forbidden}`, () => expect(whereSaid(forbidden)).to.deep.equal([]))

  it('shadow no global where they are exported', () => {
    const taken = globals()
    expect(taken.has('Document') && taken.has('Headers')).to.equal(true)
    const shadowing = sources.flatMap(({ path, exported }) =>
      [...exported].filter((name) => taken.has(name) && !ALLOWED.has(name)).map((name) => `${path}: ${name}`),
    )
    expect(shadowing).to.deep.equal([])
  })

  it('are kebab-case for files', () => {
    expect(paths.filter((path) => !/^[a-z\d]+(?:-[a-z\d]+)*(?:\.d)?\.ts$/.test(basename(path)))).to.deep.equal([])
  })
})
