import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'packaging/bundle.mjs')
const bundle = join(root, 'host/bundle/signed-registry.js')

/** Bundles the compiled stock host like `npm start`, once; answers the path. */
export async function bundleHost(): Promise<string> {
  if (!isFresh()) await runProgram(process.execPath, [program])
  return bundle
}

function isFresh(): boolean {
  const packages = ['core', 'plugins'].flatMap((folder) => foldersIn(join(root, folder)))
  const compiled = [...packages, join(root, 'host')].flatMap((one) => filesIn(join(one, 'dist')))
  const made = changed(bundle)
  return [program, ...compiled].every((file) => changed(file) < made)
}

const foldersIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))
const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
