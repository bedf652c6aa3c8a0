import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.js'

const rootUrl = new URL('../../', import.meta.url)
const root = fileURLToPath(rootUrl)
const programs = ['packaging/bundle.mjs', 'packaging/one-file.mjs'].map((name) => join(root, name))
const bundle = join(root, 'host/bundle/signed-registry.js')

/** Bundles the compiled stock host like `npm start`, once; answers the path. */
export async function bundleHost(): Promise<string> {
  if (!isFresh()) await runProgram(process.execPath, programs.slice(0, 1))
  return bundle
}

/**
 * Bundles a program of this folder like the host, and answers the path: it starts in a third of the time, where it is started
 * many times.
 */
export async function bundledProgram(name: string): Promise<string> {
  const path = fileURLToPath(new URL(`../bundle/${name}`, import.meta.url))
  const { bundled } = await import(new URL('packaging/one-file.mjs', rootUrl).href)
  const { writeFile } = await import(new URL('packaging/write-aside.mjs', rootUrl).href)
  for (const file of await bundled(fileURLToPath(new URL(name, import.meta.url)), path))
    writeFile(file.path, file.contents)
  return path
}

function isFresh(): boolean {
  const packages = ['core', 'plugins'].flatMap((folder) => foldersIn(join(root, folder)))
  const compiled = [...packages, join(root, 'host')].flatMap((one) => filesIn(join(one, 'dist')))
  const made = changed(bundle)
  return [...programs, ...compiled].every((file) => changed(file) < made)
}

const foldersIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))
const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
