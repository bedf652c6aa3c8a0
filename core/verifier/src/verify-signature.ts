import { Checks } from './checks.js'
import type { ReadSignature } from './signature.js'
import { requireCrls } from './status/crl-proof.js'
import { proveStatusByCrls, type StatusProof } from './status/prove-status.js'
import { verifyOcsp } from './status/verify-ocsp.js'
import { runSteps } from './steps.js'
import { verifyTimeStamp } from './timestamp/verify-time-stamp.js'
import { type EvidenceSource, type ProvedSignature, type SignatureContext, verification } from './verification.js'

/** The evidence that a signature is proved with: its own, or collected for it. */
export interface SignatureEvidence {
  /** TimeStampToken (RFC 3161) over the signature value. */
  readonly timeStamp: Uint8Array
  /** BasicOCSPResponse (RFC 6960) about the signer's certificate; `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs, DER; those of the trust are looked at too. */
  readonly crls?: readonly Uint8Array[]
  /**
   * A time, milliseconds, at which somebody else is proved to have seen the signature with all of this, as an evidence record over
   * both proves it (EN 319 102-1, proof of existence); `candidates` have to be among what was seen, too. A time that is not before the
   * validation time counts for nothing.
   */
  readonly existedAt?: number | undefined
}

/**
 * Validates a signature as of its proven time from the given evidence, offline. Throws an error of
 * `signatureErrors` whose `details` carry `reason` and the `checks` made so far.
 */
export function verifySignature(
  signature: ReadSignature,
  evidence: SignatureEvidence,
  context: SignatureContext,
): ProvedSignature {
  const checks = new Checks()
  const seen = { ...context, existedAt: evidence.existedAt }
  const proof = runSteps(verification(signature, keptEvidence(evidence), seen, checks))
  return {
    ...proof,
    get checks() {
      return checks.all
    },
  }
}

/** Stored evidence must prove the signature by itself; embedded evidence may only speak against it. */
const keptEvidence = ({ timeStamp, ocsp, crls = [] }: SignatureEvidence): EvidenceSource => ({
  beside: { answers: ocsp === undefined ? [] : [ocsp], crls, isGiven: true },
  timeStamp: (signature, context) =>
    verifyTimeStamp(timeStamp, signature.timeStamp?.imprinted ?? signature.signatureValue, context),
  status: ({ signer: certificate }, moment, context): StatusProof => {
    const question = { ...context, ...moment, certificate }
    if (ocsp !== undefined) return { status: verifyOcsp(ocsp, question), crlProof: undefined }
    requireCrls(crls)
    return proveStatusByCrls(question)
  },
})
