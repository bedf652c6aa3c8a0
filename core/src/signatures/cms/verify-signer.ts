import { isAbsentOrNull } from '../algorithms/algorithm-identifier.js'
import { type DigestAlgorithm, digest, digestAlgorithm } from '../algorithms/digest.js'
import type { PublicKey } from '../algorithms/public-key.js'
import { type SignatureScheme, signatureScheme } from '../algorithms/signature-scheme.js'
import { OBJECT_IDENTIFIER, OCTET_STRING } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { contents, type DerElement } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import type { Attributes } from './attributes.js'
import { compareSigningCertificate, type SigningCertificateVerdict } from './ess-certificate.js'
import { cmsOids } from './oids.js'
import type { SignedData } from './signed-data.js'
import { identifies, type SignerInfo } from './signer-info.js'

/** A signer whose signature value is right under the key of a certificate; the certificate is not yet trusted. */
export interface VerifiedSigner {
  readonly certificate: Certificate
  readonly key: PublicKey
  readonly scheme: SignatureScheme
  readonly digest: DigestAlgorithm
  /** What the content must hash to. */
  readonly messageDigest: Uint8Array
  readonly signedAttributes: Attributes
  /** The signed attributes as they were hashed. */
  readonly signedBytes: Uint8Array
  readonly signingCertificate: { readonly v1: SigningCertificateVerdict; readonly v2: SigningCertificateVerdict }
}

/**
 * Checks one signer of a SignedData (RFC 5652, 5.4 and 5.6; RFC 5035): signed attributes present, each type once,
 * content type and message digest right, signing certificate the one that is found, value right under its key.
 * `candidates` are certificates to find the signer's among, beside the embedded ones.
 * Throws `invalidSignature`, `badSignerCertificate` or an error about algorithms, each with a `reason`.
 */
export function verifySigner(
  signed: SignedData,
  signer: SignerInfo,
  candidates: readonly Certificate[] = [],
): VerifiedSigner {
  const attributes = signer.signedAttributes
  if (attributes === undefined) throw invalid('signedAttributesMissing')
  if (attributes.doubled !== undefined) throw invalid('signedAttributeDoubled', { oid: attributes.doubled })
  const algorithm = readDigestAlgorithm(signed, signer)
  checkContentType(signed, attributes)
  const messageDigest = checkMessageDigest(signed, attributes, algorithm)
  const certificate = findCertificate(signer, [...signed.certificates, ...candidates])
  const signingCertificate = compareSigningCertificate(attributes, certificate)
  for (const verdict of Object.values(signingCertificate))
    if (verdict === 'differs' || verdict === 'malformed') throw invalid('signingCertificate', { verdict })
  const key = certificate.publicKey
  const scheme = signatureScheme(signer.signatureAlgorithm, key, algorithm.oid)
  const signedBytes = attributes.signedBytes
  if (!key.verify(scheme, signedBytes, signer.signature)) throw invalid('signatureValue')
  return {
    certificate,
    key,
    scheme,
    digest: algorithm,
    messageDigest,
    signedAttributes: attributes,
    signedBytes,
    signingCertificate,
  }
}

function readDigestAlgorithm(
  signed: SignedData,
  { digestAlgorithm: { oid, parameters } }: SignerInfo,
): DigestAlgorithm {
  const algorithm = digestAlgorithm(oid)
  if (!isAbsentOrNull(parameters))
    throw signatureErrors.error('digestAlgorithmNotSupported', { reason: 'parameters', oid })
  const listed = signed.digestAlgorithms.filter((one) => one.oid === oid)
  if (listed.length === 0 || listed.some((one) => !isAbsentOrNull(one.parameters)))
    throw invalid('digestAlgorithmNotListed', { oid })
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

function findCertificate({ sid }: SignerInfo, candidates: readonly Certificate[]): Certificate {
  const [certificate, ...others] = candidates.filter((candidate) => identifies(sid, candidate))
  if (certificate === undefined) throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMissing' })
  if (others.some((other) => other !== certificate && other.fingerprint !== certificate.fingerprint))
    throw signatureErrors.error('badSignerCertificate', { reason: 'certificateAmbiguous' })
  return certificate
}

const invalid = (reason: string, facts: object = {}) => signatureErrors.error('invalidSignature', { reason, ...facts })
