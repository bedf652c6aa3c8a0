import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { emitWithAllItNeeds } from './emit.mjs'

/*
 * npm run generate: writes all generated files. Types are not checked, since tests may already use parts of the client that are
 * only generated here; the programs below run in the order of their dependencies.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
const format = (path) => run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', path)

await emitWithAllItNeeds('test')
await import('./stamp.mjs')
await import('./browser.mjs')
run('dist-test/client/write-client.js')
format('core/client/src/operations.ts')
await emitWithAllItNeeds('core/client')
run('dist-test/docs/write-tables.js')
run('dist-test/docs/write-examples.js')
format('host/openapi-examples.json')
run('dist-test/docs/write-openapi.js')
format('docs/openapi.json')
