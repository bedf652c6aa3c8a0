import { explicit, implicit, integer, octetString, oid, sequence, setOf, time } from '../der/writer.js'
import { digest, digestAlgorithm, type HashName } from '../hashes.js'
import { CMS } from '../oids.js'
import { certificateFields } from '../x509/certificate.js'

/** A CMS attribute; each value is DER. */
export interface Attribute {
  readonly oid: string
  readonly values: readonly Buffer[]
}

export const encodeAttribute = (attribute: Attribute): Buffer => sequence(oid(attribute.oid), setOf(attribute.values))

const single = (type: string, value: Buffer): Attribute => ({ oid: type, values: [value] })

export const contentType = (type: string) => single(CMS.contentType, oid(type))
export const messageDigestOf = (value: Uint8Array) => single(CMS.messageDigest, octetString(value))
export const messageDigest = (content: Uint8Array, hash: HashName) => messageDigestOf(digest(hash, content))
export const signingTime = (moment: number) => single(CMS.signingTime, time(moment))

/** SigningCertificateV2 with one ESSCertIDv2 (RFC 5035 4), where SHA-256 goes unsaid. */
export function signingCertificateV2(certificate: Uint8Array, hash: HashName = 'sha256'): Attribute {
  const { issuer, serial } = certificateFields(certificate)
  const issuerSerial = sequence(sequence(explicit(4, issuer)), integer(serial))
  const algorithm = hash === 'sha256' ? [] : [digestAlgorithm(hash)]
  const certId = sequence(...algorithm, octetString(digest(hash, certificate)), issuerSerial)
  return single(CMS.signingCertificateV2, sequence(sequence(certId)))
}

/** CMSAlgorithmProtection (RFC 6211): AlgorithmIdentifiers of the digest and of the signature, DER. */
export const algorithmProtection = (digestAlgorithm: Buffer, signatureAlgorithm: Buffer) =>
  single(CMS.algorithmProtection, sequence(digestAlgorithm, implicit(1, signatureAlgorithm)))

/** Unsigned: a time stamp over the signature value (RFC 5126 6.1.1). */
export const signatureTimeStamp = (token: Buffer) => single(CMS.timeStampToken, token)

/** Unsigned: RevocationValues with one BasicOCSPResponse (RFC 5126 6.3.4). */
export const revocationValues = (...ocsp: readonly Buffer[]) =>
  single(CMS.revocationValues, sequence(explicit(1, sequence(...ocsp))))
