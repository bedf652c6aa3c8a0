import { randomBytes } from 'node:crypto'
import { RegistryError } from '../kernel/error.js'
import { textNodes } from '../signatures/index.js'

/**
 * What every nonce begins with. It sets nonces apart from documents: whoever is asked to sign one can see what it is for,
 * and no document may be one.
 */
const PREFIX = Buffer.from('login-nonce:', 'latin1')
/** Bytes of a nonce; 20 of them are random. */
const LENGTH = 32
/** Most bytes that are signed to log in: the nonce itself, or an XML element or two around it. */
export const LONGEST_TO_SIGN = 4096
const LESS_THAN = 0x3c

/** A new nonce: 32 bytes, of which the last 20 come from a CSPRNG. */
export const newNonce = (): Buffer => Buffer.concat([PREFIX, randomBytes(LENGTH - PREFIX.length)])

/** The bytes of a nonce in base64, `undefined` for anything else. */
export function decodeNonce(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return isNonce(bytes) && bytes.toString('base64') === text ? bytes : undefined
}

/** The nonce that signed content amounts to: its bytes themselves, or an XML document with its base64 as the only text. */
export function nonceIn(content: Uint8Array): Buffer | undefined {
  if (isNonce(content)) return Buffer.from(content)
  if (content.length > LONGEST_TO_SIGN || content[0] !== LESS_THAN) return undefined
  const [text, ...others] = texts(content).filter((one) => one.trim() !== '')
  return text === undefined || others.length > 0 ? undefined : decodeNonce(text)
}

const isNonce = (bytes: Uint8Array): boolean =>
  bytes.length === LENGTH && PREFIX.equals(bytes.subarray(0, PREFIX.length))

function texts(content: Uint8Array): string[] {
  try {
    return textNodes(content)
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}
