import { randomBytes } from 'node:crypto'
import { RegistryError } from '../kernel/error.js'
import { textNodes } from '../signatures/index.js'

/** Precedes the random part of every nonce, so that nonces are found wherever they are hidden. */
export const NONCE_MARK = 'login-nonce:'
/** Three lines: the host to log in to, that it serves no other purpose, and 20 random bytes in hexadecimal. */
const WORDS = new RegExp(`^[^\\n]{1,512}\\n[^\\n]{1,512}\\n${NONCE_MARK}[0-9a-f]{40}$`)
/** Bytes of what is signed to log in: the nonce itself, or an XML element or two around it. */
export const LONGEST_TO_SIGN = 4096
const LESS_THAN = 0x3c

/** A nonce, and its unique line. */
export interface Nonce {
  readonly bytes: Buffer
  readonly line: string
}

/** A new nonce: words that say what signing it does and where, then 20 bytes from a CSPRNG. */
export function newNonce(host: string): Nonce {
  const line = `${NONCE_MARK}${randomBytes(20).toString('hex')}`
  const words = `Вход / Кіру / Log in: ${host}\nТолько для входа. Тек кіру үшін. Only to log in.\n${line}`
  return { bytes: Buffer.from(words, 'utf8'), line }
}

/** The bytes of a nonce in base64, `undefined` for anything else. */
export function decodeNonce(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return isNonce(bytes) && bytes.toString('base64') === text ? bytes : undefined
}

/** The nonce in signed content: its bytes themselves, or an XML document with its base64 as the only text. */
export function nonceIn(content: Uint8Array): Buffer | undefined {
  if (isNonce(content)) return Buffer.from(content)
  if (content.length > LONGEST_TO_SIGN || content[0] !== LESS_THAN) return undefined
  const [text, ...others] = texts(content).filter((one) => one.trim() !== '')
  return text === undefined || others.length > 0 ? undefined : decodeNonce(text)
}

const isNonce = (bytes: Uint8Array): boolean =>
  bytes.length <= LONGEST_TO_SIGN && WORDS.test(Buffer.from(bytes).toString('utf8'))

function texts(content: Uint8Array): string[] {
  try {
    return textNodes(content)
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}
