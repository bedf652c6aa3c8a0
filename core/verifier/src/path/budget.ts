import { signatureErrors } from '../errors.js'

/** Limits the work of one path search, in steps such as considering a candidate or comparing a name with a constraint. */
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

/** Far more than real hierarchies need; exhausting it takes well under a second. */
export const DEFAULT_STEPS = 100_000

/** Cost of verifying one signature. */
export const SIGNATURE_STEPS = 1_000

/** Cost of validating one certificate of a path. */
export const VALIDATION_STEPS = 100
