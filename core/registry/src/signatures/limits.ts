import { availableParallelism } from 'node:os'
import { limits } from '../kernel/limits.js'

/** How many signatures the main thread verifies itself. */
export interface SignatureLimits {
  /** Signatures per second that the main thread verifies; above that another thread does. */
  readonly signaturesVerifiedHere: number
}
/** On a single processor another thread would gain nothing. */
export const SignatureLimits = limits<SignatureLimits>('SignatureLimits', {
  signaturesVerifiedHere: availableParallelism() > 1 ? 50 : Number.MAX_SAFE_INTEGER,
})
