import { digestAlgorithm } from './algorithms/digest.js'
import { defaultAlgorithmPolicy, requireTrusted, requireTrustedDigest } from './algorithms/policy.js'
import { type Check, Checks } from './checks.js'
import { signatureErrors } from './errors.js'
import type { CertificatePath } from './path/path-context.js'
import { failureFacts } from './path/path-failure.js'
import type { ReadSignature } from './signature.js'
import { defaultSignerRules, requireSignerUsage, type SignerRules } from './signer-usage.js'
import { requireSigningCertificate, type SigningCertificateContext } from './signing-certificate-rule.js'
import type { CrlProof } from './status/crl-proof.js'
import { EvidencePool, type EvidenceSet } from './status/evidence-pool.js'
import { requireGoodToday } from './status/known-today.js'
import type { StatusProof } from './status/prove-status.js'
import type { StatusContext } from './status/status-context.js'
import { buildUnrevokedPath, requireNotRevoked, withoutStatus } from './status/unrevoked-path.js'
import type { CertificateStatus } from './status/verify-ocsp.js'
import { awaitSteps, type Steps } from './steps.js'
import type { RevocationDemand, TimeStamp } from './timestamp/verify-time-stamp.js'
import type { Certificate } from './x509/certificate.js'

/** Inputs for validating evidence. */
export interface EvidenceContext extends StatusContext {
  /** What the extended key usages on the signer's path must leave open; see `PathContext`. */
  readonly purposes?: readonly string[]
  /** Maximum accuracy of a time stamp, milliseconds; see `TimeStampContext`. */
  readonly maxInaccuracy?: number
  /** Which status must be known; default `signer`. */
  readonly revocation?: RevocationDemand
  /**
   * A time, milliseconds, at which somebody else is proved to have seen the signature and its evidence (EN 319 102-1, proof of
   * existence): both are judged as of then, and what is known at `now` still counts against them.
   */
  readonly existedAt?: number | undefined
}

/** Inputs for validating a signature. */
export interface SignatureContext extends EvidenceContext, SigningCertificateContext {
  /** Required usage of signers' certificates. */
  readonly signerRules?: SignerRules
}

/** A certificate's issuer as its path has it, and the moment (ms) that the certificate must have been good at. */
export interface StatusMoment {
  readonly issuer: Certificate
  /** From the certificate to a trust anchor. */
  readonly path: CertificatePath
  readonly time: number
}

/**
 * The source of evidence for a signature: stored, embedded, or requested from authorities. Results may be promises, are already
 * validated, and are rejected with a coded error.
 */
export interface EvidenceSource<S extends TimeStamp | undefined = TimeStamp> {
  /** OCSP responses and CRLs in addition to embedded ones; any of them may show a revocation. */
  readonly beside?: EvidenceSet
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
  /** Authorities on the signer's path whose status nothing tells. */
  readonly unasked: readonly Certificate[]
}

/** Why a signature is good: what it was proved with, and what was looked at. */
export interface ProvedSignature<S extends TimeStamp | undefined = TimeStamp> extends SignatureProof<S> {
  readonly checks: readonly Check[]
}

/**
 * The sequence of every verification: algorithms trusted now, or when somebody else saw the signature; signer meant for documents and named in what was signed,
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
  const existedAt = seenBefore(given)
  const now = existedAt ?? given.now
  const { signerRules = defaultSignerRules } = given
  const candidates = [...signature.certificates, ...(given.candidates ?? [])]
  const pieces = source.beside === undefined ? [signature.carried] : [signature.carried, source.beside]
  const { trust, algorithms, maxGap } = given
  const evidence = (given.evidence ?? EvidencePool.empty()).with(pieces, { trust, now, algorithms, candidates })
  const context = { ...given, now, candidates, evidence, purposes: signerRules.purposes }
  const judging = { trust, now, algorithms, candidates, evidence, maxGap }
  checks.run('signatureValue', subject, now, () => undefined)
  checks.run('algorithms', subject, now, () => requireTrustedAlgorithms(signature, context))
  checks.run('signerUsage', subject, now, () => requireSignerUsage(signer, signerRules))
  yield* checks.ask('signingCertificate', subject, now, () => requireSigningCertificate(signature, given))
  const timeStamp = yield* checks.ask('timeStamp', subject, now, () =>
    source.timeStamp(signature, existedAt === undefined ? context : { ...context, now: given.now, existedAt }),
  )
  const time = timeStamp?.genTime ?? now
  const path = checks.run('path', subject, time, () => buildUnrevokedPath(signer, judging, time, signerRules.purposes))
  const { status, crlProof } = yield* checks.ask('status', subject, time, () => {
    const moment = { issuer: issuerIn(path), path, time }
    requireNotRevoked(path.certificates, time, judging)
    const found = source.status(signature, moment, context)
    if (existedAt === undefined) return found
    const today = { ...judging, now: given.now, against: given.against }
    const checked = (proof: StatusProof) => {
      requireGoodToday({ path, time, existedAt }, proof, today)
      return proof
    }
    return found instanceof Promise ? found.then(checked) : checked(found)
  })
  const unasked = withoutStatus(path, 1, time, judging)
  if (given.revocation === 'chain') checks.run('chainStatus', subject, time, () => requireAsked(unasked, time))
  return { timeStamp, path, status, crlProof, unasked }
}

/** The time at which somebody else saw a signature, unless it is still to come, which nobody can have proved. */
export const seenBefore = ({ existedAt, now }: Pick<EvidenceContext, 'existedAt' | 'now'>): number | undefined =>
  existedAt !== undefined && existedAt < now ? existedAt : undefined

function requireAsked([certificate]: readonly Certificate[], time: number): void {
  if (certificate !== undefined)
    throw signatureErrors.error('invalidCertificateStatus', failureFacts('undetermined', certificate, time))
}

/**
 * Validates a signature as of its proven time, with evidence that may be asynchronous. Throws an error of
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
