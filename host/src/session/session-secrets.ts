import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A random secret. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The secret in `<folder>/session-secret`, readable by the owner alone; made where there is none yet. */
export function keptSecret(folder: string): string {
  const file = join(folder, 'session-secret')
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, newSecret(), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces what another process has put there.
    linkSync(unfinished, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}
