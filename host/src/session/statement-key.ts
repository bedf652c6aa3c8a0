import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { keptFile } from './kept-file.js'

/** A new key, in PEM: whoever uses it reads it from that, since one that was generated may lock Node when it is collected. */
const newStatementKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** The key in `<folder>/statement.key`, readable by the owner alone; made where there is none yet. */
export const keptStatementKey = (folder: string): string => keptFile(join(folder, 'statement.key'), newStatementKey)
