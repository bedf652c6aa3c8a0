import { signatureErrors } from '../errors.js'

/** How much one path search may do, in steps: a candidate looked at, a name compared with a constraint, and the like. */
export class Budget {
  private left: number

  constructor(readonly steps: number) {
    this.left = steps
  }

  /** Takes steps; throws `certificatePathNotBuilt` with reason `budgetExhausted` when none is left. */
  spend(steps = 1): void {
    this.left -= steps
    if (this.left < 0)
      throw signatureErrors.error('certificatePathNotBuilt', { reason: 'budgetExhausted', steps: this.steps })
  }

  get exhausted(): boolean {
    return this.left < 0
  }
}

/** Enough for real hierarchies by far; a search that spends it all takes well under a second. */
export const DEFAULT_STEPS = 100_000

/** What verifying one signature costs. */
export const SIGNATURE_STEPS = 1_000

/** What judging one certificate of a path costs. */
export const VALIDATION_STEPS = 100
