import { toBase64 } from './bytes.js'

/** A signature as the registry accepts it. */
export interface GivenSignature {
  readonly signType: 'cms' | 'xml'
  readonly signature: string
}

const LONGEST = 5 * 2 ** 20
const SEQUENCE = 0x30
const CODES = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

/** The signature in a file: CMS as DER, PEM or base64, or XML; `undefined` for anything else. */
export async function signatureIn(file: Blob): Promise<GivenSignature | undefined> {
  if (file.size === 0 || file.size > LONGEST) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  // A DER element of this size has a length of two bytes or more.
  if (bytes[0] === SEQUENCE && (bytes[1] ?? 0) >= 0x80) return { signType: 'cms', signature: toBase64(bytes) }
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .trim()
  if (/^-----BEGIN (CMS|PKCS7)-----/.test(text)) return { signType: 'cms', signature: text }
  if (/^<[?\w]/.test(text) && text.includes('SignatureValue>')) {
    return { signType: 'xml', signature: text.replace(/^<\?xml[^>]*\?>\s*/, '') }
  }
  if (text.startsWith('MI') && CODES.test(text)) return { signType: 'cms', signature: text.replace(/\s/g, '') }
  return undefined
}
