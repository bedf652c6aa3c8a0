import { digestAlgorithm } from './algorithms/digest.js'
import { type AlgorithmPolicy, defaultAlgorithmPolicy, digestTrustedUntil, trustedUntil } from './algorithms/policy.js'
import type { ReadSignature } from './signature.js'
import { linksTrustedUntil, type TimeStamp } from './timestamp/verify-time-stamp.js'
import type { SignatureProof } from './verification.js'

/** Until when a proof holds unless somebody else sees it before, milliseconds; `Infinity` where nothing on it ends. */
export interface ProofEnds {
  /** The end of the first certificate above the time stamp (RFC 3161 section 4). */
  readonly authority: number
  /** The first day on which the policy trusts an algorithm of it no longer. */
  readonly algorithms: number
}

/** When the proof of a signature ends that was verified at `now` (EN 319 102-1, proof of existence). */
export function proofEnds(
  signature: Pick<ReadSignature, 'scheme' | 'signer' | 'digests'>,
  { timeStamp, path }: SignatureProof,
  { algorithms = defaultAlgorithmPolicy, now }: { readonly algorithms?: AlgorithmPolicy; readonly now: number },
): ProofEnds {
  const digests = [...signature.digests, { oid: timeStamp.info.imprint.digestOid }].map(
    ({ oid }) => digestAlgorithm(oid).oid,
  )
  return {
    authority: certificatesEnd(timeStamp),
    algorithms: Math.min(
      timeStamp.trustedUntil,
      trustedUntil(algorithms, signature.scheme, signature.signer.publicKey, now),
      ...linksTrustedUntil(path, algorithms, now),
      ...digests.map((oid) => digestTrustedUntil(algorithms, oid, now)),
    ),
  }
}

/** When the first certificate on the path of a time stamp expires, milliseconds. */
export const certificatesEnd = ({ path }: Pick<TimeStamp, 'path'>): number =>
  Math.min(...path.certificates.map(({ notAfter }) => notAfter))
