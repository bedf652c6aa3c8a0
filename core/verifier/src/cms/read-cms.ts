import { hash } from 'node:crypto'
import { digestAlgorithm } from '../algorithms/digest.js'
import { type AlgorithmPolicy, defaultAlgorithmPolicy, isTrustedDigest } from '../algorithms/policy.js'
import { BerReader } from '../der/ber.js'
import { SET } from '../der/fields.js'
import { children, type DerElement, DerError, encoded, readDer } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { type EvidenceTaken, evidenceFields, type ReadSignature } from '../signature.js'
import { type Attributes, readAttribute } from './attributes.js'
import { readCarriedEvidence } from './carried-evidence.js'
import { withoutContent } from './content-of-cms.js'
import { NORMALIZING } from './normalize-cms.js'
import { cmsOids } from './oids.js'
import { readSignedData, type SignedData } from './signed-data.js'
import type { SignerInfo } from './signer-info.js'
import { type VerifiedSigner, verifySigner } from './verify-signer.js'

/** Options for reading CMS. */
export interface CmsOptions {
  /** Decides only which digests may identify the signer's certificate; the default refuses MD5 and SHA-1. */
  readonly algorithms?: AlgorithmPolicy
  /** The time (ms) for the policy; if absent, only algorithms that are never trusted are refused. */
  readonly at?: number
  /** Refuse a SET OF that is not in DER order; default false, because toolkits in use write attributes unsorted. */
  readonly strictSetOrder?: boolean
  /** Which embedded evidence is read; default `one`. Long-term signatures have OCSP responses for each certificate of the path. */
  readonly evidence?: EvidenceTaken
  /** Ignore zero padding after the CMS, as in `/Contents` of PDF; default false. */
  readonly trailingZeros?: boolean
  /** Maximum size of a CMS without its content, octets; default 256 KiB. */
  readonly maxKeptOctets?: number
}

/** Reads one signer of a CMS, as of a time (ms) where that is not the one of the options. */
export type SignerReader = (at?: number) => ReadSignature

/** The longest CMS without its content that is read, octets. */
export const LONGEST_CMS = 262_144

/**
 * Reads a CMS of the accepted profile (DER, or BER in unsigned parts; one signer with signed attributes; content type data,
 * attached or detached; at most one time stamp and one OCSP response) and verifies its signature value with the embedded
 * certificate.
 * Throws `signatureNotParsed`, `invalidSignature` and the other errors of `verifySigner`, each with a `reason`.
 */
export function readCms(der: Uint8Array, options: CmsOptions = {}): ReadSignature {
  const [read, more] = readCmsSigners(der, options)
  if (read === undefined || more !== undefined) throw invalid('notExactlyOneSigner')
  return read()
}

/**
 * As `readCms`, for one or more signers: each is read when its function is called, so that one may be refused without the
 * others. Errors of the CMS itself are thrown immediately.
 */
export function readCmsSigners(der: Uint8Array, options: CmsOptions = {}): readonly SignerReader[] {
  const signed = parsing(() => readSignedData(options.trailingZeros === true ? withoutTrailingZeros(der) : der))
  const kept = signed.content === undefined ? signed.der : withoutContent(signed)
  if (kept.length > (options.maxKeptOctets ?? LONGEST_CMS)) throw notParsed('tooLarge')
  if (signed.signerInfos.length === 0) throw invalid('notExactlyOneSigner', { signers: 0 })
  return signed.signerInfos.map(
    (signer) =>
      (at = options.at) =>
        readSigner(signed, kept, signer, at === undefined ? options : { ...options, at }),
  )
}

function readSigner(signed: SignedData, kept: Uint8Array, signer: SignerInfo, options: CmsOptions): ReadSignature {
  if (options.strictSetOrder === true) requireSetOrder(signed)
  if (signed.contentType !== cmsOids.data) throw invalid('contentNotData', { found: signed.contentType })
  if (signed.content !== undefined && looksLikeSignedAttributes(signed.content))
    throw invalid('contentLooksLikeSignedAttributes')
  // Values inside the structure are parsed when first needed, so malformed DER may show up here too.
  const verified = parsing(() => verifySigner(signed, signer))
  const evidence = readCarriedEvidence(signed, signer, options.evidence ?? 'one')
  const { certificates } = evidence
  return {
    signType: 'cms',
    kept,
    signer: verified.certificate,
    certificateNamed: isNamed(verified, options),
    certificates: certificates.length === 0 ? signed.certificates : [...signed.certificates, ...certificates],
    scheme: verified.scheme,
    signAlgorithm: verified.scheme.oid,
    digests: [{ oid: verified.digest.oid, value: verified.messageDigest }],
    signatureValue: signer.signature,
    content: signed.content,
    ...evidenceFields(evidence, evidence.ownAnswer),
    fingerprint: hash('sha256', Buffer.concat([verified.certificate.tbs, verified.signedBytes]), 'buffer'),
    ignoredAttributes: evidence.ignored,
  }
}

/** Whether a trusted digest identifies the certificate: with MD5 or SHA-1 another one could collide. */
const isNamed = ({ namedBy }: VerifiedSigner, { algorithms = defaultAlgorithmPolicy, at = 0 }: CmsOptions): boolean =>
  namedBy.some((oid) => isTrustedDigest(algorithms, digestAlgorithm(oid), at))

/** Cuts off zero padding after the first element. */
function withoutTrailingZeros(bytes: Uint8Array): Uint8Array {
  const { after } = parsing(() => new BerReader(NORMALIZING).element(bytes))
  return bytes.subarray(after).every((octet) => octet === 0) ? bytes.subarray(0, after) : bytes
}

/** Turns a DerError into `signatureNotParsed` with its reason. */
function parsing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) throw notParsed(String(error.details?.reason), error)
    throw error
  }
}

const invalid = (reason: string, facts: object = {}) => signatureErrors.error('invalidSignature', { reason, ...facts })

/** `explanation` is the message of the DerError. */
const notParsed = (reason: string, cause?: DerError) =>
  signatureErrors.error(
    'signatureNotParsed',
    { reason, ...(cause === undefined ? {} : { explanation: cause.message }) },
    cause,
  )

const MAX_ATTRIBUTES_OCTETS = 262_144

/**
 * Whether content is itself a DER SET OF Attribute with a message digest: the signed attributes of another signature,
 * presented as content (draft-ietf-lamps-cms-euf-cma-signeddata).
 */
function looksLikeSignedAttributes(content: Uint8Array): boolean {
  if (content[0] !== SET || content.length > MAX_ATTRIBUTES_OCTETS) return false
  try {
    return children(readDer(content))
      .map(readAttribute)
      .some(({ oid }) => oid === cmsOids.messageDigest)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** Refuses a CMS in which a SET OF is not in DER order (X.690 11.6); throws `setOrderNonconforming`. */
function requireSetOrder({ parts, signerInfos }: SignedData): void {
  requireSorted(parts.digestAlgorithms, 'digestAlgorithms')
  if (parts.certificates !== undefined) requireSorted(parts.certificates, 'certificates')
  if (parts.crls !== undefined) requireSorted(parts.crls, 'crls')
  requireSorted(parts.signerInfos, 'signerInfos')
  for (const { signedAttributes, unsignedAttributes } of signerInfos) {
    if (signedAttributes !== undefined) requireSortedAttributes(signedAttributes, 'signedAttributes')
    if (unsignedAttributes !== undefined) requireSortedAttributes(unsignedAttributes, 'unsignedAttributes')
  }
}

function requireSortedAttributes(attributes: Attributes, where: string): void {
  requireSorted(attributes.element, where)
  for (const { set } of attributes.all) requireSorted(set, where)
}

function requireSorted(set: DerElement, where: string): void {
  const elements = children(set).map(encoded)
  const sorted = elements.every(
    (element, index) => index === 0 || Buffer.compare(elements[index - 1] as Uint8Array, element) <= 0,
  )
  if (!sorted) throw signatureErrors.error('setOrderNonconforming', { reason: 'setOrder', where })
}
