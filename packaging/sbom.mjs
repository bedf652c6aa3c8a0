import { readFileSync } from 'node:fs'

// npm run sbom: a software bill of materials of a host, CycloneDX 1.6, for vulnerability scanners. Made from the lock file only,
// so the same commit gives the same list; `npm sbom --omit dev` omits dependencies of workspaces.
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const nameOf = (path, { name }) => name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const urlOf = (path, one) => `pkg:npm/${nameOf(path, one).replace('@', '%40')}@${one.version}`
const isInstalled = (path, { dev, link }) => path.includes('node_modules/') && !dev && !link
const isOurs = (path, { version }) => path !== '' && !path.includes('node_modules/') && version !== undefined

/** Resolves a package name from `path`: the nearest one above it. */
function found(path, name) {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/')))) {
    const at = `${from === '' ? '' : `${from}/`}node_modules/${name}`
    if (packages[at] !== undefined) return packages[at].link ? packages[at].resolved : at
    if (from === '') return undefined
  }
}

function component(path, one) {
  const [algorithm, value] = one.integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': urlOf(path, one),
    name: nameOf(path, one),
    version: one.version,
    scope: one.optional || one.devOptional ? 'optional' : 'required',
    purl: urlOf(path, one),
    ...(value && {
      hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') }],
    }),
    ...(one.license && { licenses: [{ expression: one.license }] }),
  }
}

function dependency(path, one) {
  const names = Object.keys({ ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies })
  const on = names.map((name) => found(path, name)).filter((at) => at !== undefined && !packages[at].dev)
  return { ref: urlOf(path, one), dependsOn: [...new Set(on.map((at) => urlOf(at, packages[at])))].sort() }
}

const entries = Object.entries(packages).filter(([path, one]) => isInstalled(path, one) || isOurs(path, one))
const unique = (all, key) => [...new Map(all.map((one) => [one[key], one])).values()]
const { name, version, license } = packages['']
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': `pkg:npm/${name}@${version}`,
      name,
      version,
      licenses: [{ expression: license }],
    },
  },
  components: unique(
    entries.map((entry) => component(...entry)),
    'bom-ref',
  ),
  dependencies: unique(
    entries.map((entry) => dependency(...entry)),
    'ref',
  ),
}
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`)
