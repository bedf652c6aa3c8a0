import { chmodSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundled } from './one-file.mjs'
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

const outputFiles = await bundled(path('host/dist/main.js'), bundle)
for (const { path, contents } of outputFiles) writeFile(path, contents)
writeFile(program, PROGRAM)
chmodSync(program, 0o755)
