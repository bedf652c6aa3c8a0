import { requestErrors } from '@signed-registry/core'

/** A byte sequence of structured fields (RFC 9651 section 3.3.5), as RFC 9440 writes a certificate. */
const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]+={0,2}):$/
const MAX_CHARACTERS = 16 * 1024

/** The certificate (DER) in a `Client-Cert` header of a proxy (RFC 9440 section 2.2); throws `invalidHeaders`. */
export function readCertificateHeader(value: string | string[]): Buffer {
  const text = typeof value === 'string' && value.length <= MAX_CHARACTERS ? value.trim() : ''
  const base64 = BYTE_SEQUENCE.exec(text)?.[1]
  if (base64 === undefined || base64.length % 4 !== 0)
    throw requestErrors.error('invalidHeaders', { header: 'client certificate' })
  return Buffer.from(base64, 'base64')
}
