import { readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { build } from 'esbuild'

/** Not bundled: Fastify and its plugins, database drivers that Knex loads, native code, and packages with files of their own. */
const PACKAGES = [
  ...['fastify', '@fastify/swagger', '@fastify/swagger-ui', 'light-my-request', 'node-cron'],
  ...['@photostructure/sqlite', 'better-sqlite3', 'sqlite3', 'mysql2', 'mysql', 'mariadb'],
  ...['pg', 'pg-query-stream', 'oracledb', 'tedious'],
]

/** Keeps `import.meta.url` of our modules, which locate files by it. */
const placesFrom = (folder) => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist(-test)?[\\/].*\.js$/ }, async ({ path: file }) => {
      if (/[\\/]node_modules[\\/]/.test(file)) return
      const contents = await readFile(file, 'utf8')
      if (!contents.includes('import.meta.url')) return
      const place = JSON.stringify(relative(folder, file).replaceAll('\\', '/'))
      return { contents: contents.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) }
    })
  },
})

/** Bundles a compiled program into one file, which works only at this path; answers its files, written nowhere yet. */
export async function bundled(program, path) {
  const { outputFiles } = await build({
    entryPoints: [program],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: PACKAGES,
    plugins: [placesFrom(dirname(path))],
    banner: {
      js: [
        // For CommonJS packages.
        "import { createRequire as requireOf } from 'node:module'",
        'const require = requireOf(import.meta.url)',
      ].join('\n'),
    },
    sourcemap: true,
    write: false,
    logLevel: 'warning',
  })
  return outputFiles
}
