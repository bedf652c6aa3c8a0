import { digestAlgorithm } from './algorithms/digest.js'
import { defaultAlgorithmPolicy, requireTrusted, requireTrustedDigest } from './algorithms/policy.js'
import { type Check, Checks } from './checks.js'
import type { ReadSignature } from './signature.js'
import { defaultSignerRules, requireSignerUsage, type SignerRules } from './signer-usage.js'
import { type EvidenceContext, type SignatureProof, verifyEvidence } from './verify-evidence.js'
import type { Certificate } from './x509/certificate.js'

/** What a signature is judged by. */
export interface SignatureContext extends EvidenceContext {
  /** Certificates kept beside the signature, for path building; never trusted by themselves. */
  readonly candidates?: readonly Certificate[]
  /** What signers' certificates must be meant for. */
  readonly signerRules?: SignerRules
}

/** The evidence that a signature is proved with: its own, or collected for it. */
export interface SignatureEvidence {
  /** TimeStampToken (RFC 3161) over the signature value. */
  readonly timeStamp: Uint8Array
  /** BasicOCSPResponse (RFC 6960) about the signer's certificate; `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs, DER; those of the trust are looked at too. */
  readonly crls?: readonly Uint8Array[]
}

/** Why a signature is good: what it was proved with, and what was looked at. */
export interface SignatureVerdict extends SignatureProof {
  readonly checks: readonly Check[]
}

/**
 * Judges a signature as of its proven time: algorithms trusted now, signer meant for documents, time stamp over the
 * signature value, path from the signer to a trust anchor at the stamped time, certificate good at that time.
 * The signature value was checked by the reader; what the document hashes to is for the caller to compare.
 * Throws an error of `signatureErrors` whose `details` carry `reason` and the `checks` made so far.
 */
export function verifySignature(
  signature: ReadSignature,
  evidence: SignatureEvidence,
  context: SignatureContext,
): SignatureVerdict {
  const checks = new Checks()
  requireSignature(signature, context, checks)
  const certificates = [...signature.certificates, ...(context.candidates ?? [])]
  const imprinted = signature.timeStamp?.imprinted ?? signature.signatureValue
  const kept = { ...evidence, timeStamp: { token: evidence.timeStamp, imprinted } }
  const proof = verifyEvidence({ signer: signature.signer, certificates }, kept, context, checks)
  return {
    ...proof,
    get checks() {
      return checks.all
    },
  }
}

/** The checks that need no evidence. */
export function requireSignature(signature: ReadSignature, context: SignatureContext, checks = new Checks()): void {
  const { signer, scheme, digests } = signature
  const { now, algorithms = defaultAlgorithmPolicy, signerRules = defaultSignerRules } = context
  const { subject } = signer
  checks.run('signatureValue', subject, now, () => undefined)
  checks.run('algorithms', subject, now, () => {
    requireTrusted(algorithms, scheme, signer.publicKey, now)
    for (const { oid } of digests) requireTrustedDigest(algorithms, digestAlgorithm(oid), now)
  })
  checks.run('signerUsage', subject, now, () => requireSignerUsage(signer, signerRules))
}
