import { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import { type Steps, settled } from './steps.js'

/** The checks of a signature, in this order. */
export const CHECK_NAMES = [
  'document',
  'signatureValue',
  'algorithms',
  'signerUsage',
  'signingCertificate',
  'timeStamp',
  'path',
  'status',
  'chainStatus',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** One check of a verdict. */
export interface Check {
  readonly check: CheckName
  /** What was checked: a certificate by its subject, a time stamp by its authority. */
  readonly subject: string
  /** The time of the check, milliseconds since the epoch. */
  readonly at: number
  readonly outcome: 'passed' | 'failed'
  /** Sub-indication of a failure. */
  readonly reason?: string
}

/** The subject of a check, converted to text on demand. */
type Subject = { toString(): string }

type Made = Omit<Check, 'subject'> & { readonly subject: Subject }

type Code = keyof typeof signatureErrors.texts

/** Records the checks of a verdict. An error has all checks made so far in `details.checks`. */
export class Checks {
  private readonly made: Made[]

  /** Continues after earlier checks. */
  constructor(before?: Checks) {
    this.made = [...(before?.made ?? [])]
  }

  /** Everything made so far. */
  get all(): readonly Check[] {
    return this.made.map(({ subject, ...rest }) => ({ ...rest, subject: subject.toString() }))
  }

  /** Runs a check and records its outcome; an error gets the list. */
  run<T>(check: CheckName, subject: Subject, at: number, judge: () => T): T {
    try {
      const found = judge()
      this.made.push({ check, subject, at, outcome: 'passed' })
      return found
    } catch (error) {
      throw this.refusal(check, subject, at, error)
    }
  }

  /** As `run`, for an asynchronous check. An undefined result records no check. */
  *ask<T>(check: CheckName, subject: Subject, at: number, judge: () => T | Promise<T>): Steps<T> {
    try {
      const answer = judge()
      const found = answer instanceof Promise ? yield* settled(answer) : answer
      if (found !== undefined) this.made.push({ check, subject, at, outcome: 'passed' })
      return found
    } catch (error) {
      throw this.refusal(check, subject, at, error)
    }
  }

  private refusal(check: CheckName, subject: Subject, at: number, error: unknown): unknown {
    if (!(error instanceof RegistryError) || !isOurs(error.code)) return error
    const { reason = error.code } = error.details ?? {}
    this.made.push({ check, subject, at, outcome: 'failed', reason: String(reason) })
    return signatureErrors.error(error.code, { ...error.details, checks: this.all }, error)
  }
}

const isOurs = (code: string): code is Code => Object.hasOwn(signatureErrors.texts, code)
