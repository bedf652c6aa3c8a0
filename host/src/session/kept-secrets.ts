import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A random secret. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The secret in `<folder>/session-secret`, readable by the owner alone; made where there is none yet. */
export const keptSecret = (folder: string): string => keptFile(join(folder, 'session-secret'), newSecret).trim()

/** A new key, in PEM: whoever uses it reads it from that, since one that was generated may lock Node when it is collected. */
const newStatementKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** The key in `<folder>/statement.key`, readable by the owner alone; made where there is none yet. */
export const keptStatementKey = (folder: string): string => keptFile(join(folder, 'statement.key'), newStatementKey)

/** What is in a file, readable by the owner alone; made where there is none yet. */
function keptFile(file: string, make: () => string): string {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, make(), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces what another process has put there.
    linkSync(unfinished, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readFileSync(file, 'utf8')
}
