import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const foldersIn = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}/`)

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
type Manifest = Partial<Record<(typeof KINDS)[number], Record<string, string>>>

/** Packages of others that a package.json of this repository names; types come with what they describe. */
function named(): string[] {
  const folders = ['', 'packaging/', 'host/', ...foldersIn('core'), ...foldersIn('plugins')]
  const names = folders
    .map((folder) => `${folder}package.json`)
    .filter((path) => existsSync(new URL(path, root)))
    .flatMap((path) => {
      const manifest: Manifest = JSON.parse(read(path))
      return KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
    })
  return [...new Set(names)].filter((name) => !/^@(signed-registry|types)\//.test(name)).sort()
}

describe('the dependencies', () => {
  it('stand once each, with a reason, in docs/decisions/0001-dependencies.md', () => {
    const rows = read('docs/decisions/0001-dependencies.md').matchAll(/^\| (`[^|]+) \|[^|]+\|[^|]+\|$/gm)
    const explained = [...rows].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    )
    expect(explained.filter((name) => !name.startsWith('@types/')).sort()).to.deep.equal(named())
  })
})
