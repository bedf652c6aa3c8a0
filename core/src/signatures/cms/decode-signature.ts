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
  const compact = text.replace(/[\r\n]/g, '')
  if (compact.length === 0 || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact))
    throw notParsed('base64')
  const bytes = Buffer.from(compact, 'base64')
  const tail = compact.slice(-4)
  if (bytes.subarray(bytes.length - ((bytes.length - 1) % 3) - 1).toString('base64') !== tail) throw notParsed('base64')
  return bytes
}

const notParsed = (reason: string) => signatureErrors.error('signatureNotParsed', { reason })
