import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const core = new URL('../../core/registry/src/', import.meta.url)
/** The hashes of migrations that a release has: they never change again. */
export const RELEASED_MIGRATIONS = new URL('../../test/architecture/released-migrations.json', import.meta.url)

/** Hashes of all migrations of core by their names, in order; imports and formatting may change. */
export function migrationHashes(): Readonly<Record<string, string>> {
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)migrations\/\d{4}-[a-z0-9-]+\.ts$/.test(file),
  )
  const hashes = files.map(
    (file) => [basename(file, '.ts'), hashOf(readFileSync(new URL(file, core), 'utf8'))] as const,
  )
  return Object.fromEntries(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const hashOf = (source: string): string =>
  createHash('sha256')
    .update(source.replace(/^import .*$/gm, '').replace(/\s+/g, ' '))
    .digest('hex')
