import { type AlgorithmIdentifier, readAlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import { context, contextConstructed, fieldsOf, INTEGER, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { integerBytes, readSmallInteger } from '../der/integer.js'
import { contents, type DerElement, DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import { Name } from '../x509/name.js'
import { Attributes } from './attributes.js'

/** How a SignerInfo names its certificate (RFC 5652, 5.3). */
export type SignerIdentifier =
  | { readonly issuer: Name; readonly serialBytes: Uint8Array }
  | { readonly subjectKeyIdentifier: Uint8Array }

/** A view of SignerInfo (RFC 5652, 5.3). */
export interface SignerInfo {
  readonly element: DerElement
  readonly version: number
  readonly sid: SignerIdentifier
  readonly digestAlgorithm: AlgorithmIdentifier
  readonly signedAttributes: Attributes | undefined
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly unsignedAttributes: Attributes | undefined
}

/** Reads a SignerInfo; throws DerError. */
export function readSignerInfo(element: DerElement): SignerInfo {
  const fields = fieldsOf(element)
  const version = readSmallInteger(fields.take(INTEGER))
  const sid = readSignerIdentifier(fields.any())
  if (version !== ('issuer' in sid ? 1 : 3)) throw new DerError('version of the signer does not fit its identifier')
  const digestAlgorithm = readAlgorithmIdentifier(fields.take(SEQUENCE))
  const signed = fields.takeIf(contextConstructed(0))
  const signatureAlgorithm = readAlgorithmIdentifier(fields.take(SEQUENCE))
  const signature = contents(fields.take(OCTET_STRING))
  const unsigned = fields.takeIf(contextConstructed(1))
  fields.finish()
  return {
    element,
    version,
    sid,
    digestAlgorithm,
    signedAttributes: signed && new Attributes(signed),
    signatureAlgorithm,
    signature,
    unsignedAttributes: unsigned && new Attributes(unsigned),
  }
}

function readSignerIdentifier(element: DerElement): SignerIdentifier {
  if (element.tag === context(0)) return { subjectKeyIdentifier: contents(element) }
  const fields = fieldsOf(element)
  const issuer = Name.readKnown(fields.take(SEQUENCE))
  const serialBytes = integerBytes(fields.take(INTEGER))
  fields.finish()
  return { issuer, serialBytes }
}

/** Whether a SignerIdentifier matches a certificate. */
export function identifies(sid: SignerIdentifier, certificate: Certificate): boolean {
  if ('issuer' in sid)
    return Buffer.compare(sid.serialBytes, certificate.serialBytes) === 0 && sid.issuer.equals(certificate.issuer)
  const own = certificate.extensions.subjectKeyIdentifier
  return own !== undefined && Buffer.compare(own, sid.subjectKeyIdentifier) === 0
}
