import { hash } from 'node:crypto'
import { DerError } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { ReadSignature } from '../signature.js'
import { cmsOids } from './oids.js'
import { requireSetOrder } from './set-order.js'
import { looksLikeSignedAttributes } from './signed-attributes-as-content.js'
import { readSignedData, type SignedData } from './signed-data.js'
import type { SignerInfo } from './signer-info.js'
import { readUnsignedEvidence } from './unsigned-evidence.js'
import { type VerifiedSigner, verifySigner } from './verify-signer.js'
import { withoutContent } from './without-content.js'

/** What a reader of CMS may be stricter or more lenient about. */
export interface CmsOptions {
  /** Refuse a SET OF that is not in DER order; default false, because toolkits in use write attributes unsorted. */
  readonly strictSetOrder?: boolean
  /** Which signed reference to the signer's certificate must be there; default `none`: it is compared when present. */
  readonly signingCertificate?: 'none' | 'any' | 'v2'
  /** Most octets of a CMS without its content; default 256 KiB. */
  readonly maxKeptOctets?: number
}

const MAX_KEPT = 262_144

/**
 * Reads a CMS of the accepted profile (DER; one signer with signed attributes; data as content or detached; at most
 * one time stamp and one OCSP answer) and checks its signature value under the certificate that it carries.
 * Throws `signatureNotParsed`, `invalidSignature` and the other errors of `verifySigner`, each with a `reason`.
 */
export function readCms(der: Uint8Array, options: CmsOptions = {}): ReadSignature {
  const signed = parse(der)
  const kept = signed.content === undefined ? der : withoutContent(signed)
  if (kept.length > (options.maxKeptOctets ?? MAX_KEPT)) throw notParsed('tooLarge')
  const signer = onlySigner(signed)
  if (options.strictSetOrder === true) requireSetOrder(signed)
  if (signed.contentType !== cmsOids.data) throw invalid('contentType', { found: signed.contentType })
  if (signed.content !== undefined && looksLikeSignedAttributes(signed.content))
    throw invalid('contentLooksLikeSignedAttributes')
  const verified = verify(signed, signer)
  requireSigningCertificate(verified, options.signingCertificate ?? 'none')
  const evidence = readUnsignedEvidence(signer.unsignedAttributes)
  const { timeStamp, ocsp, ignored } = evidence
  return {
    signType: 'cms',
    kept,
    signer: verified.certificate,
    certificates: signed.certificates,
    scheme: verified.scheme,
    signAlgorithm: verified.scheme.oid,
    digests: [{ oid: verified.digest.oid, value: verified.messageDigest }],
    signatureValue: signer.signature,
    ...(signed.content === undefined ? {} : { content: signed.content }),
    ...(timeStamp === undefined ? {} : { timeStamp: { token: timeStamp, imprinted: signer.signature } }),
    ...(ocsp === undefined ? {} : { ocsp }),
    fingerprint: hash('sha256', Buffer.concat([verified.certificate.tbs, verified.signedBytes]), 'buffer'),
    ignoredAttributes: ignored,
  }
}

function parse(der: Uint8Array): SignedData {
  try {
    return readSignedData(der)
  } catch (error) {
    if (error instanceof DerError) throw notParsed('notDer', error)
    throw error
  }
}

/** Values inside the structure are parsed when first needed, so bad DER may show up here too. */
function verify(signed: SignedData, signer: SignerInfo): VerifiedSigner {
  try {
    return verifySigner(signed, signer)
  } catch (error) {
    if (error instanceof DerError) throw notParsed('notDer', error)
    throw error
  }
}

function onlySigner({ signerInfos }: SignedData): SignerInfo {
  const [signer, more] = signerInfos
  if (signer === undefined || more !== undefined) throw invalid('notExactlyOneSigner', { signers: signerInfos.length })
  return signer
}

function requireSigningCertificate({ signingCertificate: { v1, v2 } }: VerifiedSigner, least: 'none' | 'any' | 'v2') {
  if (least === 'none' || v2 === 'matches' || (least === 'any' && v1 === 'matches')) return
  throw invalid('signingCertificate', { verdict: 'absent' })
}

const invalid = (reason: string, facts: object = {}) => signatureErrors.error('invalidSignature', { reason, ...facts })

/** `explanation` says what the reader of DER stumbled over, such as a length that is BER. */
const notParsed = (reason: string, cause?: DerError) =>
  signatureErrors.error(
    'signatureNotParsed',
    { reason, ...(cause === undefined ? {} : { explanation: cause.message }) },
    cause,
  )
