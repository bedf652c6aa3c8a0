import { generateKeyPairSync } from 'node:crypto'

/** The statement key of registries of this process, in PEM. */
export const STATEMENT_KEY: string = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey
