import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Variables } from './environment.js'

/** What signs mails (RFC 6376). */
export interface DkimKey {
  readonly domain: string
  readonly selector: string
  /** PEM. */
  readonly key: string
}

const NAMES = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const

/** Reads `MAIL_DKIM_*`, all or none; says in `wrong` why they cannot be used. */
export function readDkimKey(variables: Variables, wrong: string[]): DkimKey | undefined {
  const [domain, selector, file] = NAMES.map((name) => variables[name])
  if (!domain && !selector && !file) return undefined
  if (!domain || !selector || !file) {
    const missing = NAMES.filter((name) => !variables[name])
    wrong.push(...missing.map((name) => `${name}: DKIM needs ${NAMES.join(', ')}`))
    return undefined
  }
  try {
    const key = readFileSync(file, 'utf8')
    if (createPrivateKey(key).asymmetricKeyType === 'rsa') return { domain, selector, key }
    wrong.push('MAIL_DKIM_KEY: is no RSA key')
  } catch {
    wrong.push(`MAIL_DKIM_KEY: ${file} holds no PEM key that can be read without a password`)
  }
  return undefined
}
