import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Variables } from './environment.js'

/** Reads the file of `STATEMENT_KEY`; says in `wrong` why it cannot be used. */
export function readStatementKey({ STATEMENT_KEY: file }: Variables, wrong: string[]): string | undefined {
  if (!file) return undefined
  try {
    const key = readFileSync(file, 'utf8')
    if (createPrivateKey(key).asymmetricKeyType === 'ed25519') return key
    wrong.push('STATEMENT_KEY: is no Ed25519 key')
  } catch {
    wrong.push(`STATEMENT_KEY: ${file} holds no PEM key that can be read without a password`)
  }
  return undefined
}
