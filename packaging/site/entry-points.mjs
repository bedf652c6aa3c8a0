import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages whose public names the site lists. */
const PACKAGES = ['core/registry', 'core/client', 'core/verifier', 'host']

/** What programs import, such as `@signed-registry/core/evidence`, with the source behind it. */
export function entryPoints(root) {
  return PACKAGES.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([path, { types }]) => {
      const source = join(root, folder, types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'))
      if (!path.includes('*')) return [[name + path.slice(1), source]]
      return filling(source).map((word) => [name + path.slice(1).replace('*', word), source.replace('*', word)])
    })
  })
}

/** What stands for the * of a pattern: folders that have the file. */
function filling(pattern) {
  const [before, after] = pattern.split('*')
  return readdirSync(before, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(before + entry.name + after))
    .map(({ name }) => name)
    .sort()
}

/** Options of the compiler under which packages find each other's sources, so that nothing has to be built before. */
export function compilerOptions(root, entries) {
  const plugins = readdirSync(join(root, 'plugins')).map((name) => [
    `@signed-registry/${name}`,
    join(root, 'plugins', name, 'src/index.ts'),
  ])
  return {
    paths: Object.fromEntries([...entries, ...plugins].map(([name, source]) => [name, [source]])),
    typeRoots: [join(root, 'node_modules/@types')],
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    noEmit: true,
  }
}
