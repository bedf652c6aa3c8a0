import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aside, moveFiles } from './write-aside.mjs'

/*
 * Runs before `npm start` and `npm run demo`: writes the JavaScript of the host and of all that it needs, file by file,
 * without looking at types, then what pages load, and the host as one file. That takes two seconds where `tsc -b` takes
 * fifteen, and the files are the same; `npm run build` checks the types.
 */
const root = new URL('../', import.meta.url)
const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
const alone = ['--noCheck', '--noResolve', '--lib', 'es5', '--types', '']
const noDeclarations = [
  '--composite',
  'false',
  '--incremental',
  'false',
  '--declaration',
  'false',
  '--declarationMap',
  'false',
]

const packages = new Set()
/** Finds a package and those that its tsconfig.json refers to. */
function add(folder) {
  if (packages.has(folder.href)) return
  const { references = [], compilerOptions } = JSON.parse(readFileSync(new URL('tsconfig.json', folder), 'utf8'))
  if (compilerOptions.emitDeclarationOnly) return
  packages.add(folder.href)
  for (const { path } of references) add(new URL(`${path}/`, folder))
}
add(new URL('host/', root))

const run = promisify(execFile)
async function emit(folder) {
  const dist = fileURLToPath(new URL('dist', folder))
  const made = aside(dist)
  try {
    await run(process.execPath, [compiler, '-p', fileURLToPath(folder), '--outDir', made, ...alone, ...noDeclarations])
    moveFiles(made, dist)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
await Promise.all([...packages].map(emit)).catch((error) => {
  process.stderr.write(error.stdout ?? String(error))
  process.exit(1)
})
await import('./stamp.mjs')
await import('./browser.mjs')
await import('./bundle.mjs')
