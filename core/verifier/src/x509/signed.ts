import { type AlgorithmIdentifier, readAlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import { readBitStringBytes } from '../der/bit-string.js'
import { BIT_STRING, fieldsOf, SEQUENCE } from '../der/fields.js'
import { type DerElement, encoded } from '../der/reader.js'

/** The outer structure of certificates and CRLs: signed part, algorithm and signature (RFC 5280 sections 4.1.1 and 5.1.1). */
export interface Signed {
  readonly der: Uint8Array
  /** The signed part, as encoded and as an element. */
  readonly tbs: Uint8Array
  readonly signed: DerElement
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
}

/** Reads the outer structure of a certificate or CRL; throws `DerError`. */
export function readSigned(element: DerElement): Signed {
  const fields = fieldsOf(element)
  const signed = fields.take(SEQUENCE)
  const signatureAlgorithm = readAlgorithmIdentifier(fields.take(SEQUENCE))
  const signature = readBitStringBytes(fields.take(BIT_STRING))
  fields.finish()
  return { der: encoded(element), tbs: encoded(signed), signed, signatureAlgorithm, signature }
}
