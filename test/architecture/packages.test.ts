import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))
const REGISTRY = 'https://registry.npmjs.org/'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
}
interface Component {
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/** Packages of others; the rest are our own. */
const installed = (lock: string): [string, Locked][] => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(`${root}${lock}`, 'utf8'))
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

describe('packages of others', () => {
  for (const lock of ['package-lock.json', 'packaging/package-lock.json']) {
    it(`are pinned to their bytes by ${lock}, wherever they are downloaded from`, () => {
      const packages = installed(lock)
      expect(packages).to.have.length.above(50)
      const unpinned = packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
      expect(unpinned.map(([path]) => path)).to.deep.equal([])
      const elsewhere = packages.filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY))
      expect(elsewhere.map(([path]) => path)).to.deep.equal([])
    })
  }

  it('that a host runs are all named in the list that `npm run sbom` makes, with their hashes', () => {
    const made = execFileSync(process.execPath, [`${root}packaging/sbom.mjs`], { encoding: 'utf8' })
    const {
      components,
      dependencies,
    }: { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] } = JSON.parse(made)
    const named = new Map(components.map((one) => [`${one.name}@${one.version}`, one]))
    const needed = installed('package-lock.json').filter(([, { dev }]) => !dev)
    expect(needed).to.have.length.above(150)
    for (const [path, { version, integrity = '' }] of needed) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
      expect(named.get(`${name}@${version}`)?.hashes, path).to.deep.equal([{ alg: 'SHA-512', content }])
    }
    for (const tool of ['mocha', 'chai', '@biomejs/biome']) {
      expect(
        components.filter(({ name }) => name === tool),
        tool,
      ).to.deep.equal([])
    }
    const refs = new Set(dependencies.map(({ ref }) => ref))
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).to.deep.equal([])
    const core = dependencies.find(({ ref }) => ref.startsWith('pkg:npm/%40signed-registry/core@'))
    expect(core?.dependsOn.map((ref) => ref.split('@')[0])).to.include.members(['pkg:npm/inversify', 'pkg:npm/knex'])
  })
})
