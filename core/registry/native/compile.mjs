#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm run native, or npx signed-registry-native where the packages are installed: compiles streebog.c beside this file with the C
// compiler of this machine, against the headers that came with Node. Optional: hashing threads look for the result when they
// start (docs/decisions/0027-native-streebog.md).
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const headers = process.env.NODE_HEADERS ?? join(dirname(process.execPath), '../include/node')
const result = process.argv[2] ?? path('streebog.node')
const made = `${result}.${process.pid}`
const options = ['-O2', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', `-I${headers}`, '-o', made]

function stay(why) {
  process.stderr.write(`Streebog stays in WebAssembly: ${why}\n`)
  process.exit(1)
}

if (process.arch !== 'x64') stay(`this is ${process.arch}, and the code is for x64`)
const { status, error } = spawnSync(process.env.CC ?? 'cc', [...options, path('streebog.c')], { stdio: 'inherit' })
if (status !== 0) stay(error?.message ?? 'the compiler failed')
renameSync(made, result)
const { absorb } = createRequire(import.meta.url)(result)
const useful =
  absorb === undefined ? 'this processor lacks AVX-512 (VBMI) or GFNI and will not use it' : 'from the next start'
process.stdout.write(`Streebog in native code: ${result}, ${useful}\n`)
