import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * A host may be reading what is written here: each file changes at once from what it was to what it will be, and one that stays
 * as it was is not touched.
 */

/** The same path with a name that nobody reads, beside it. */
export const aside = (path) => `${path}-${process.pid}`

/** Gives a file its contents. */
export function writeFile(path, contents) {
  if (isSame(path, Buffer.from(contents))) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(aside(path), contents)
  renameSync(aside(path), path)
}

/** Moves the files of a folder into another one, in place of theirs. */
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
