import { contextConstructed } from '../der/fields.js'
import { writeElement, writeOctetString, writeOid, writeSequence } from '../der/writer.js'
import type { Certificate } from '../x509/certificate.js'
import { buildCertId, requireIssuer } from './cert-id.js'

/** What to ask a responder. */
export interface OcspRequest {
  readonly certificate: Certificate
  /** Its issuer, as the certification path has it. */
  readonly issuer: Certificate
  /** 1 to 32 octets (RFC 8954); unpredictable, so that an old answer cannot be replayed. */
  readonly nonce: Uint8Array
  /** OID of the digest of the CertID; SHA-256 where not given. */
  readonly digestOid?: string
}

export const ID_PKIX_OCSP_NONCE = '1.3.6.1.5.5.7.48.1.2'
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** A DER `OCSPRequest` about one certificate (RFC 6960 section 4.1.1), unsigned. Throws `invalidOcspData` for another issuer than the certificate's. */
export function buildOcspRequest({ certificate, issuer, nonce, digestOid = SHA_256 }: OcspRequest): Uint8Array {
  requireIssuer({ certificate, issuer })
  const request = writeSequence(buildCertId(certificate, issuer, digestOid))
  const extension = writeSequence(writeOid(ID_PKIX_OCSP_NONCE), writeOctetString(writeOctetString(nonce)))
  const extensions = writeElement(contextConstructed(2), writeSequence(extension))
  return writeSequence(writeSequence(writeSequence(request), extensions))
}
