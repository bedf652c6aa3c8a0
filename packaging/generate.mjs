import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { emitWithAllItNeeds } from './emit.mjs'

/*
 * npm run generate: writes everything that is made of the code. Types are not looked at, since tests may already use what is
 * only now written into the client; and the programs below run in an order in which each finds what it needs.
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
