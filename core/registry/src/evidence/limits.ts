import { limits } from '../kernel/limits.js'

/** Limits of evidence bundles; a stored original passes through, whatever its size. */
export interface EvidenceLimits {
  /** Bytes of a bundle that is read, and of an original that comes with the request for one. */
  readonly evidenceBytes: number
  /** Signatures in one bundle; also documents in one that is read. */
  readonly evidenceSignatures: number
}
export const EvidenceLimits = limits<EvidenceLimits>('EvidenceLimits', {
  evidenceBytes: 50 * 1024 * 1024,
  evidenceSignatures: 500,
})
