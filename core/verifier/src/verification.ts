import { digestAlgorithm } from './algorithms/digest.js'
import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  requireTrusted,
  requireTrustedDigest,
} from './algorithms/policy.js'
import { type Check, Checks } from './checks.js'
import { signatureErrors } from './errors.js'
import { buildPath } from './path/build-path.js'
import type { CertificatePath } from './path/path-context.js'
import type { Trust } from './path/trust.js'
import type { ReadSignature } from './signature.js'
import { defaultSignerRules, requireSignerUsage, type SignerRules } from './signer-usage.js'
import { requireSigningCertificate, type SigningCertificateContext } from './signing-certificate-rule.js'
import type { CrlProof } from './status/crl-proof.js'
import type { CertificateStatus } from './status/verify-ocsp.js'
import { awaitSteps, type Steps } from './steps.js'
import type { TimeStamp } from './timestamp/verify-time-stamp.js'
import type { Certificate } from './x509/certificate.js'

/** What evidence is judged by. */
export interface EvidenceContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy
  /** What the extended key usages on the signer's path must leave open; see `PathContext`. */
  readonly purposes?: readonly string[]
  /** How far a time stamp may say that its time is off, milliseconds; see `TimeStampContext`. */
  readonly maxInaccuracy?: number
  /** How far a certificate status may be from the stamped time, milliseconds; see `OcspContext`. */
  readonly maxGap?: number
  /** Certificates for path building that the signature does not carry; never trusted by themselves. */
  readonly candidates?: readonly Certificate[]
}

/** What a signature is judged by. */
export interface SignatureContext extends EvidenceContext, SigningCertificateContext {
  /** What signers' certificates must be meant for. */
  readonly signerRules?: SignerRules
}

/** A certificate's issuer as its path has it, and the moment (ms) that the certificate must have been good at. */
export interface StatusMoment {
  readonly issuer: Certificate
  /** From the certificate to a trust anchor. */
  readonly path: CertificatePath
  readonly time: number
}

/** What says that a certificate was good: an OCSP answer, or CRLs. */
export type StatusProof =
  | { readonly status: CertificateStatus; readonly crlProof: undefined }
  | { readonly status: undefined; readonly crlProof: CrlProof }

/**
 * Where the evidence for a signature comes from: kept beside it, carried by it, or asked of authorities. Either answer
 * may be a promise, is judged already, and throws the coded error of what is wrong with it.
 */
export interface EvidenceSource<S extends TimeStamp | undefined = TimeStamp> {
  /** Proof of when the signature existed; `undefined` for one that is judged as of now. */
  timeStamp(signature: ReadSignature, context: EvidenceContext): S | Promise<S>
  /** Proof that the signer's certificate was good at that moment. */
  status(signature: ReadSignature, moment: StatusMoment, context: EvidenceContext): StatusProof | Promise<StatusProof>
}

/** Proof of when a signature existed, and that its certificate was good then. */
export interface SignatureProof<S extends TimeStamp | undefined = TimeStamp> {
  readonly timeStamp: S
  /** From the signer to a trust anchor, at the stamped time. */
  readonly path: CertificatePath
  /** What OCSP says of the signer at that time; absent where CRLs say it. */
  readonly status: CertificateStatus | undefined
  /** What CRLs say of the signer at that time; absent where OCSP says it. */
  readonly crlProof: CrlProof | undefined
}

/** Why a signature is good: what it was proved with, and what was looked at. */
export interface ProvedSignature<S extends TimeStamp | undefined = TimeStamp> extends SignatureProof<S> {
  readonly checks: readonly Check[]
}

/**
 * The sequence of every verification: algorithms trusted now, signer meant for documents and named in what was signed,
 * time stamp over the signature value, path from the signer to a trust anchor at the stamped time, certificate good at that time. The
 * signature value was checked by the reader; what the document hashes to is for the caller to compare.
 */
export function* verification<S extends TimeStamp | undefined>(
  signature: ReadSignature,
  source: EvidenceSource<S>,
  given: SignatureContext,
  checks: Checks,
): Steps<SignatureProof<S>> {
  const { signer } = signature
  const { subject } = signer
  const { now } = given
  const { signerRules = defaultSignerRules } = given
  const candidates = [...signature.certificates, ...(given.candidates ?? [])]
  const context = { ...given, candidates, purposes: signerRules.purposes }
  checks.run('signatureValue', subject, now, () => undefined)
  checks.run('algorithms', subject, now, () => requireTrustedAlgorithms(signature, context))
  checks.run('signerUsage', subject, now, () => requireSignerUsage(signer, signerRules))
  yield* checks.ask('signingCertificate', subject, now, () => requireSigningCertificate(signature, given))
  const timeStamp = yield* checks.ask('timeStamp', subject, now, () => source.timeStamp(signature, context))
  const time = timeStamp?.genTime ?? now
  const path = checks.run('path', subject, time, () => buildPath(signer, { ...context, time }))
  const { status, crlProof } = yield* checks.ask('status', subject, time, () =>
    source.status(signature, { issuer: issuerIn(path), path, time }, context),
  )
  return { timeStamp, path, status, crlProof }
}

/**
 * Judges a signature as of its proven time, with evidence that may have to be waited for. Throws an error of
 * `signatureErrors` whose `details` carry `reason` and the `checks` made so far.
 */
export async function verifySignatureWith<S extends TimeStamp | undefined>(
  source: EvidenceSource<S>,
  signature: ReadSignature,
  context: SignatureContext,
): Promise<ProvedSignature<S>> {
  const checks = new Checks()
  const proof = await awaitSteps(verification(signature, source, context, checks))
  return { ...proof, checks: checks.all }
}

/** The certificate above the signer's; a trust anchor may not sign documents itself. */
export function issuerIn({ certificates }: CertificatePath): Certificate {
  const issuer = certificates[1]
  if (issuer === undefined) throw signatureErrors.error('certificatePathNotBuilt', { reason: 'signerIsTrustAnchor' })
  return issuer
}

function requireTrustedAlgorithms({ signer, scheme, digests }: ReadSignature, context: EvidenceContext): void {
  const { now, algorithms = defaultAlgorithmPolicy } = context
  requireTrusted(algorithms, scheme, signer.publicKey, now)
  for (const { oid } of digests) requireTrustedDigest(algorithms, digestAlgorithm(oid), now)
}
