import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs in a package before `npm pack`: builds it with its dependencies, and adds the licence.
const root = fileURLToPath(new URL('..', import.meta.url))
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-b', process.cwd()], { stdio: 'inherit' })
await import('./stamp.mjs')
if (process.cwd().endsWith('pages')) await import('./browser.mjs')
copyFileSync(join(root, 'LICENSE'), 'LICENSE')
