import { signatureErrors } from '../errors.js'

const LABELS = ['CMS', 'PKCS7'] as const
const BEGIN = '-----BEGIN '

/**
 * The DER of a CMS given as base64 (line breaks allowed) or as one PEM block labelled CMS or PKCS7 (RFC 7468).
 * Throws `signatureNotParsed`. Time grows linearly with the text.
 */
export function decodeSignature(text: string): Uint8Array {
  const trimmed = text.trim()
  return decodeBase64(trimmed.startsWith(BEGIN) ? pemBody(trimmed) : trimmed)
}

function pemBody(text: string): string {
  const label = LABELS.find((one) => text.startsWith(`${BEGIN}${one}-----`))
  if (label === undefined) throw notParsed('pemLabel')
  const start = BEGIN.length + label.length + 5
  const end = text.length - `-----END ${label}-----`.length
  if (end < start || text.slice(end) !== `-----END ${label}-----`) throw notParsed('pemEnd')
  return text.slice(start, end)
}

/** Strict base64 (RFC 4648, 4): padded, no foreign characters, unused bits zero; CR and LF are skipped. */
function decodeBase64(text: string): Uint8Array {
  const compact = text.includes('\n') || text.includes('\r') ? withoutBreaks(text) : text
  const bytes = Buffer.from(compact, 'base64')
  // Node skips invalid characters, so the result is encoded again and compared.
  if (bytes.length === 0 || bytes.toString('base64') !== compact) throw notParsed('base64')
  return bytes
}

const [LF, CR, LAST_ASCII] = [10, 13, 127]

/** Removes CR and LF one character at a time; a regular expression would take half a second for five million of them. */
function withoutBreaks(text: string): string {
  const kept = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > LAST_ASCII) throw notParsed('base64')
    if (code !== LF && code !== CR) kept[length++] = code
  }
  return kept.toString('latin1', 0, length)
}

const notParsed = (reason: string) => signatureErrors.error('signatureNotParsed', { reason })
