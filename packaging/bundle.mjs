import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeFile } from './write-aside.mjs'

/*
 * Bundles the compiled host into one file, host/bundle/one-file.js, and writes the program that starts it: Node then loads 2,000 modules fewer, which is half of
 * the startup time (docs/decisions/0012-one-file.md). Worker threads, assets and the packages below stay outside, so the
 * bundle works only in this folder and is not published.
 */
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const bundle = path('host/bundle/one-file.js')
const program = path('host/bundle/signed-registry.js')

/**
 * The program: the one file, or the modules where a configuration file brings plugins, which import core as a module too
 * (docs/decisions/0033-plugins-by-file.md).
 */
const PROGRAM = `#!/usr/bin/env node
import { configFile, takeConfig } from '../dist/config/config-file.js'

const { env } = takeConfig(process.argv.slice(2), process.env)
await import(configFile(env) === undefined ? './one-file.js' : '../dist/main.js')
`

/** Not bundled: Fastify and its plugins, database drivers that Knex loads, native code, and packages with files of their own. */
const PACKAGES = [
  ...['fastify', '@fastify/swagger', '@fastify/swagger-ui', 'light-my-request', 'node-cron'],
  ...['@photostructure/sqlite', 'better-sqlite3', 'sqlite3', 'mysql2', 'mysql', 'mariadb'],
  ...['pg', 'pg-query-stream', 'oracledb', 'tedious'],
]

/** Keeps `import.meta.url` of our modules, which locate files by it. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, async ({ path: file }) => {
      if (/[\\/]node_modules[\\/]/.test(file)) return
      const contents = await readFile(file, 'utf8')
      if (!contents.includes('import.meta.url')) return
      const place = JSON.stringify(relative(dirname(bundle), file).replaceAll('\\', '/'))
      return { contents: contents.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) }
    })
  },
}

const { outputFiles } = await build({
  entryPoints: [path('host/dist/main.js')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: PACKAGES,
  plugins: [places],
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
for (const { path, contents } of outputFiles) writeFile(path, contents)
writeFile(program, PROGRAM)
chmodSync(program, 0o755)
