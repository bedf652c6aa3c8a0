import { Checks } from './checks.js'
import type { ReadSignature } from './signature.js'
import { proveByCrls, readKeptCrls } from './status/crl-proof.js'
import { verifyOcsp } from './status/verify-ocsp.js'
import { runSteps } from './steps.js'
import { type TimeStamp, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
import {
  type EvidenceContext,
  type EvidenceSource,
  type ProvedSignature,
  type SignatureContext,
  type StatusMoment,
  type StatusProof,
  verification,
} from './verification.js'

/** The evidence that a signature is proved with: its own, or collected for it. */
export interface SignatureEvidence {
  /** TimeStampToken (RFC 3161) over the signature value. */
  readonly timeStamp: Uint8Array
  /** BasicOCSPResponse (RFC 6960) about the signer's certificate; `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs, DER; those of the trust are looked at too. */
  readonly crls?: readonly Uint8Array[]
}

/**
 * Judges a signature as of its proven time from evidence at hand, without any network. Throws an error of
 * `signatureErrors` whose `details` carry `reason` and the `checks` made so far.
 */
export function verifySignature(
  signature: ReadSignature,
  evidence: SignatureEvidence,
  context: SignatureContext,
): ProvedSignature {
  const checks = new Checks()
  const proof = runSteps(verification(signature, keptEvidence(evidence), context, checks))
  return {
    ...proof,
    get checks() {
      return checks.all
    },
  }
}

const keptEvidence = ({ timeStamp, ocsp, crls = [] }: SignatureEvidence): EvidenceSource => ({
  timeStamp: (signature, context) => judgeTimeStamp(timeStamp, signature, context),
  status: (signature, moment, context) =>
    ocsp === undefined ? judgeCrls(crls, signature, moment, context) : judgeOcsp(ocsp, signature, moment, context),
})

/** A token must be over what the signature says, its value unless it says otherwise. */
export const judgeTimeStamp = (token: Uint8Array, signature: ReadSignature, context: EvidenceContext): TimeStamp =>
  verifyTimeStamp(token, signature.timeStamp?.imprinted ?? signature.signatureValue, context)

export const judgeOcsp = (
  answer: Uint8Array,
  { signer: certificate }: ReadSignature,
  moment: StatusMoment,
  context: EvidenceContext,
): StatusProof => ({ status: verifyOcsp(answer, { ...context, ...moment, certificate }), crlProof: undefined })

/** By the CRLs of the trust and those given. */
export const judgeCrls = (
  crls: readonly Uint8Array[],
  { signer }: ReadSignature,
  { time }: StatusMoment,
  context: EvidenceContext,
): StatusProof => ({
  status: undefined,
  crlProof: proveByCrls(signer, { ...context, time, kept: readKeptCrls(crls) }),
})
