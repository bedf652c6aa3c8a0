import { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import { type Steps, settled } from './steps.js'

/** What is looked at when a signature is judged, in this order. */
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
  /** What was looked at: a certificate by its subject, a time stamp by its authority. */
  readonly subject: string
  /** The moment it was judged at, milliseconds since the epoch. */
  readonly at: number
  readonly outcome: 'passed' | 'failed'
  /** Sub-indication of a failure. */
  readonly reason?: string
}

/** What a check is about; its text is made when somebody asks. */
type Subject = { toString(): string }

type Made = Omit<Check, 'subject'> & { readonly subject: Subject }

type Code = keyof typeof signatureErrors.texts

/** The checks of one verdict as they are made. A refusal carries all that were made before it in `details.checks`. */
export class Checks {
  private readonly made: Made[]

  /** Goes on behind those that were made before. */
  constructor(before?: Checks) {
    this.made = [...(before?.made ?? [])]
  }

  /** Everything made so far. */
  get all(): readonly Check[] {
    return this.made.map(({ subject, ...rest }) => ({ ...rest, subject: subject.toString() }))
  }

  /** Makes a check and keeps its outcome; a refusal leaves with the list. */
  run<T>(check: CheckName, subject: Subject, at: number, judge: () => T): T {
    try {
      const found = judge()
      this.made.push({ check, subject, at, outcome: 'passed' })
      return found
    } catch (error) {
      throw this.refusal(check, subject, at, error)
    }
  }

  /** As `run`, for a check whose answer may have to be waited for. Where there is nothing to look at, no check is made. */
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
