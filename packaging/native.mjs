import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm run native: compiles core/registry/native/streebog.c with the C compiler of this machine, against the headers that came with
// Node. Optional: hashing threads look for the result when they start (docs/decisions/0027-native-streebog.md).
const path = (name) => fileURLToPath(new URL(`../core/registry/native/${name}`, import.meta.url))
const headers = process.env.NODE_HEADERS ?? join(dirname(process.execPath), '../include/node')
const result = process.argv[2] ?? path('streebog.node')
const made = `${result}.${process.pid}`
const options = ['-O2', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', `-I${headers}`, '-o', made]
const { status, error } = spawnSync(process.env.CC ?? 'cc', [...options, path('streebog.c')], { stdio: 'inherit' })
if (status !== 0) {
  process.stderr.write(`Streebog stays in WebAssembly: ${error?.message ?? 'the compiler failed'}\n`)
  process.exit(1)
}
renameSync(made, result)
