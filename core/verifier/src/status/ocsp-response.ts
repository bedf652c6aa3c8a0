import { contextConstructed, ENUMERATED, fieldsOf, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { contents, DerError, readDer } from '../der/reader.js'
import { writeElement, writeOctetString, writeOid, writeSequence } from '../der/writer.js'

/** A responder's answer (RFC 6960 section 4.2.1): a basic response, or why there is none. */
export type OcspResponse =
  | { readonly status: 'successful'; readonly basic: Uint8Array }
  | { readonly status: OcspFailure; readonly basic: undefined }

export type OcspFailure = 'malformedRequest' | 'internalError' | 'tryLater' | 'sigRequired' | 'unauthorized'

const ID_PKIX_OCSP_BASIC = '1.3.6.1.5.5.7.48.1.1'

const FAILURES = new Map<number, OcspFailure>([
  [1, 'malformedRequest'],
  [2, 'internalError'],
  [3, 'tryLater'],
  [5, 'sigRequired'],
  [6, 'unauthorized'],
])

/** Reads a DER `OCSPResponse`; throws `DerError`. */
export function readOcspResponse(der: Uint8Array): OcspResponse {
  const fields = fieldsOf(readDer(der))
  const code = readSmallInteger(fields.take(ENUMERATED), ENUMERATED)
  const responseBytes = fields.explicit(contextConstructed(0))
  fields.finish()
  if (code !== 0) {
    const status = FAILURES.get(code)
    if (status === undefined || responseBytes !== undefined) throw new DerError('OCSP response status is unknown')
    return { status, basic: undefined }
  }
  if (responseBytes === undefined) throw new DerError('OCSP response is empty')
  const typed = fieldsOf(responseBytes)
  if (readOid(typed.any()) !== ID_PKIX_OCSP_BASIC) throw new DerError('OCSP response is not a basic one')
  const basic = contents(typed.take(OCTET_STRING))
  typed.finish()
  return { status: 'successful', basic }
}

/** True for an `OCSPResponse`, false for a `BasicOCSPResponse`: formats embed either. */
export function isOcspResponse(der: Uint8Array): boolean {
  const element = readDer(der)
  return element.tag === SEQUENCE && element.source[element.content] === ENUMERATED
}

/** An answer as a successful `OCSPResponse`: a `BasicOCSPResponse` is wrapped, a whole one stays (RFC 6960, 4.2.1). Throws `DerError`. */
export function ocspResponseOf(answer: Uint8Array): Uint8Array {
  if (isOcspResponse(answer)) return answer
  const responseBytes = writeSequence(writeOid(ID_PKIX_OCSP_BASIC), writeOctetString(answer))
  return writeSequence(writeElement(ENUMERATED, Uint8Array.of(0)), writeElement(contextConstructed(0), responseBytes))
}
