import { availableParallelism } from 'node:os'
import { limits } from '../kernel/limits.js'

/** How much of the verifying of signatures the thread that serves requests does itself. */
export interface SignatureLimits {
  /** Signatures a second that the thread which serves requests verifies itself; where more come, another thread does. */
  readonly signaturesVerifiedHere: number
}
/** With one processor another thread would gain nothing. */
export const SignatureLimits = limits<SignatureLimits>('SignatureLimits', {
  signaturesVerifiedHere: availableParallelism() > 1 ? 50 : Number.MAX_SAFE_INTEGER,
})
