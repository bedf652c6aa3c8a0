import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A random secret. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The secret in `<folder>/session-secret`, readable by the owner only; created if missing. */
export const keptSecret = (folder: string): string => keptFile(join(folder, 'session-secret'), newSecret).trim()

/** A new Ed25519 key as PEM, to be parsed before use: collecting a generated key object may deadlock Node. */
export const newKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** The key in `<folder>/statement.key`, readable by the owner only; created if missing. */
export const keptStatementKey = (folder: string): string => keptKey(join(folder, 'statement.key'))

/** The Ed25519 key in a file, readable by the owner only; created if missing. */
export const keptKey = (file: string): string => keptFile(file, newKey)

/** Keeps what has appeared in a folder, or was renamed, also where the power fails now. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** The content of a file, readable by the owner only; created durably if missing, as others come to depend on it. */
function keptFile(file: string, make: () => string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, make(), { mode: 0o600, flush: true })
  try {
    // A link appears atomically, and never replaces what another process has created.
    linkSync(unfinished, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  syncFolder(dirname(file))
  return readFileSync(file, 'utf8')
}
