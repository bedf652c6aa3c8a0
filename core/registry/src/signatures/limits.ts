import { availableParallelism } from 'node:os'
import { limits } from '../kernel/limits.js'

/** How many signatures the main thread verifies itself. */
export interface SignatureLimits {
  /** Signatures under way at once that the main thread verifies; while there are more, and for a second after, another thread does. */
  readonly signaturesVerifiedHere: number
}
/** On a single processor another thread would gain nothing. */
export const SignatureLimits = limits<SignatureLimits>('SignatureLimits', {
  signaturesVerifiedHere: availableParallelism() > 1 ? 4 : Number.MAX_SAFE_INTEGER,
})
