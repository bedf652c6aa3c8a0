import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/*
 * A host may be running from the files written here, so each one is replaced atomically, and unchanged ones are not touched.
 */

/** A temporary name next to the path. */
export const aside = (path) => `${path}-${process.pid}`

/** Removes what programs that were interrupted left under temporary names of the path. */
export function removeAbandoned(path) {
  const start = `${basename(path)}-`
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(start) ? name.slice(start.length) : ''
    if (/^\d+$/.test(pid) && !isRunning(Number(pid)))
      rmSync(join(dirname(path), name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch ({ code }) {
    return code !== 'ESRCH'
  }
}

/** Replaces the contents of a file. */
export function writeFile(path, contents) {
  if (isSame(path, Buffer.from(contents))) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(aside(path), contents)
  renameSync(aside(path), path)
}

/** Moves the files of a folder into another one, replacing those there. */
export function moveFiles(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = join(to, file.slice(from.length))
    if (isSame(path, readFileSync(file))) continue
    mkdirSync(dirname(path), { recursive: true })
    renameSync(file, path)
  }
}

function isSame(path, contents) {
  try {
    return readFileSync(path).equals(contents)
  } catch {
    return false
  }
}
