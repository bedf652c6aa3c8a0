import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeFile } from './write-aside.mjs'

/*
 * Writes the compiled host as one file, host/bundle/signed-registry.js: Node then finds, reads and links 2,000 modules less, which
 * is half of a start (docs/decisions/0012-one-file.md). Threads, assets and the packages below are found where they are: the
 * file is that of this folder, and no published package has it.
 */
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const bundle = path('host/bundle/signed-registry.js')

/** Stay packages: Fastify and what is its, databases that Knex asks for, native code, and what has files beside it. */
const PACKAGES = [
  ...['fastify', '@fastify/swagger', '@fastify/swagger-ui', 'light-my-request', 'node-cron'],
  ...['@photostructure/sqlite', 'better-sqlite3', 'sqlite3', 'mysql2', 'mysql', 'mariadb'],
  ...['pg', 'pg-query-stream', 'oracledb', 'tedious'],
]

/** Modules of ours that ask where they are are told where they were. */
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
      '#!/usr/bin/env node',
      // Of packages that are not ES modules.
      "import { createRequire as requireOf } from 'node:module'",
      'const require = requireOf(import.meta.url)',
    ].join('\n'),
  },
  sourcemap: true,
  write: false,
  logLevel: 'warning',
})
for (const { path, contents } of outputFiles) writeFile(path, contents)
chmodSync(bundle, 0o755)
