import { areDigestParameters } from '../algorithms/algorithm-identifier.js'
import { type DigestAlgorithm, digest, digestAlgorithm } from '../algorithms/digest.js'
import type { PublicKey, SignatureScheme } from '../algorithms/key.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { OBJECT_IDENTIFIER, OCTET_STRING } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { contents, type DerElement } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import { requireProtectedAlgorithms } from './algorithm-protection.js'
import type { Attributes } from './attributes.js'
import { compareSigningCertificate, type SigningCertificateComparison } from './ess-certificate.js'
import { cmsOids } from './oids.js'
import type { SignedData } from './signed-data.js'
import { identifies, type SignerInfo } from './signer-info.js'

const SMIME = '1.2.840.113549.1.9.16.2'
const SINGLE_VALUED: ReadonlySet<string> = new Set([
  cmsOids.contentType,
  cmsOids.messageDigest,
  cmsOids.signingTime,
  cmsOids.algorithmProtection,
  cmsOids.signingCertificate,
  cmsOids.signingCertificateV2,
  // Content hints, identifier and reference; signature policy, signer location, signer attributes; MIME type.
  ...[4, 7, 10, 15, 17, 18].map((arc) => `${SMIME}.${arc}`),
  '0.4.0.1733.2.1',
])

/** A signer whose signature value is valid under the key of a certificate; the certificate is not trusted yet. */
export interface VerifiedSigner {
  readonly certificate: Certificate
  readonly key: PublicKey
  readonly scheme: SignatureScheme
  readonly digest: DigestAlgorithm
  /** The required digest of the content. */
  readonly messageDigest: Uint8Array
  readonly signedAttributes: Attributes
  /** The signed attributes as they were hashed: DER, or in the order received. */
  readonly signedBytes: Uint8Array
  readonly signingCertificate: SigningCertificateComparison['verdicts']
  /** OIDs of the digests by which signed attributes identify the certificate; whether they are trusted is up to the policy. */
  readonly namedBy: readonly string[]
}

/**
 * Checks one signer of a SignedData (RFC 5652, 5.4 and 5.6; RFC 5035): signed attributes present, each type once,
 * content type and message digest correct, signing certificate matching, signature value valid under its key.
 * `candidates` are certificates among which the signer's is looked for, besides the embedded ones.
 * Throws `invalidSignature`, `badSignerCertificate` or an error about algorithms, each with a `reason`.
 */
export function verifySigner(
  signed: SignedData,
  signer: SignerInfo,
  candidates: readonly Certificate[] = [],
): VerifiedSigner {
  const attributes = signer.signedAttributes
  if (attributes === undefined) throw invalid('signedAttributesMissing')
  if (attributes.duplicate !== undefined) throw invalid('signedAttributeDoubled', { oid: attributes.duplicate })
  requireValues(attributes)
  const algorithm = readDigestAlgorithm(signed, signer)
  checkContentType(signed, attributes)
  const messageDigest = checkMessageDigest(signed, attributes, algorithm)
  const certificate = findCertificate(signer, attributes, [...signed.certificates, ...candidates])
  const { verdicts, namedBy } = compareSigningCertificate(attributes, certificate)
  for (const verdict of Object.values(verdicts))
    if (verdict === 'differs' || verdict === 'malformed') throw invalid('signingCertificate', { verdict })
  const key = certificate.publicKey
  const scheme = signatureScheme(signer.signatureAlgorithm, key, algorithm.oid)
  requireProtectedAlgorithms(attributes, { digest: algorithm, scheme, key })
  const signedBytes = signedForm(attributes, (bytes) => key.verify(scheme, bytes, signer.signature))
  if (signedBytes === undefined) throw invalid('signatureValue')
  return {
    certificate,
    key,
    scheme,
    digest: algorithm,
    messageDigest,
    signedAttributes: attributes,
    signedBytes,
    signingCertificate: verdicts,
    namedBy,
  }
}

/** The attributes as they were signed: as received, which some signers do, or in DER (RFC 5652, 5.4). */
function signedForm(attributes: Attributes, isSigned: (bytes: Uint8Array) => boolean): Uint8Array | undefined {
  const { received } = attributes
  if (isSigned(received)) return received
  const { sorted } = attributes
  return Buffer.compare(received, sorted) !== 0 && isSigned(sorted) ? sorted : undefined
}

/** RFC 5652, 11 and RFC 5126, 5.8 to 5.11: some attributes are single-valued; all have at least one value. */
function requireValues(attributes: Attributes): void {
  for (const { oid, values } of attributes.all)
    if (values.length === 0 || (values.length > 1 && SINGLE_VALUED.has(oid)))
      throw invalid('signedAttributeValues', { oid, values: values.length })
}

function readDigestAlgorithm(signed: SignedData, { digestAlgorithm: used }: SignerInfo): DigestAlgorithm {
  const { oid } = used
  const algorithm = digestAlgorithm(oid)
  if (!areDigestParameters(used))
    throw signatureErrors.error('digestAlgorithmNotSupported', { reason: 'parameters', oid })
  const listed = signed.digestAlgorithms.filter((one) => one.oid === oid)
  if (listed.length === 0 || !listed.every(areDigestParameters)) throw invalid('digestAlgorithmNotListed', { oid })
  return algorithm
}

function checkContentType(signed: SignedData, attributes: Attributes): void {
  const value = single(attributes, cmsOids.contentType, OBJECT_IDENTIFIER, 'contentType')
  const contentType = readOid(value)
  if (contentType !== signed.contentType)
    throw invalid('contentType', { signed: contentType, found: signed.contentType })
}

function checkMessageDigest(signed: SignedData, attributes: Attributes, algorithm: DigestAlgorithm): Uint8Array {
  const messageDigest = contents(single(attributes, cmsOids.messageDigest, OCTET_STRING, 'messageDigest'))
  if (messageDigest.length !== algorithm.length) throw invalid('messageDigest')
  if (signed.content !== undefined && !digest(algorithm.oid, signed.content).equals(messageDigest))
    throw invalid('messageDigest')
  return messageDigest
}

function single(attributes: Attributes, oid: string, tag: number, reason: string): DerElement {
  const value = attributes.single(oid)
  if (value === undefined || value.tag !== tag) throw invalid(reason)
  return value
}

/** Anybody may add a certificate with the signer's issuer and serial number: the one in the signed attributes counts. */
function findCertificate({ sid }: SignerInfo, attributes: Attributes, candidates: readonly Certificate[]): Certificate {
  const found = candidates.filter((candidate) => identifies(sid, candidate))
  const named = found.length < 2 ? found : found.filter((candidate) => isNamedIn(attributes, candidate))
  const [certificate, ...others] = named.length === 0 ? found : named
  if (certificate === undefined) throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMissing' })
  if (others.some((other) => other !== certificate && other.fingerprint !== certificate.fingerprint))
    throw signatureErrors.error('badSignerCertificate', { reason: 'certificateAmbiguous' })
  return certificate
}

const isNamedIn = (attributes: Attributes, certificate: Certificate): boolean => {
  const verdicts = Object.values(compareSigningCertificate(attributes, certificate).verdicts)
  return verdicts.includes('matches') && !verdicts.includes('differs')
}

const invalid = (reason: string, facts: object = {}) => signatureErrors.error('invalidSignature', { reason, ...facts })
