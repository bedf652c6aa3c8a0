import { generateKeyPairSync } from 'node:crypto'

/** A new key for a log, in PEM. */
export const newLogKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** The key of the logs of this process, in PEM. */
export const LOG_KEY: string = newLogKey()
