import { port } from './port.js'
import type { Injected } from './service.js'
import { settledWithin } from './settled-within.js'

/** What a look at one thing found, in a sentence; that of a warning or a failure says what to do. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly text: string
}

/**
 * A look at what a plugin depends on, such as a folder, or a server of others: by `doctor`, with real requests. A running registry
 * repeats those that are not required every few minutes, one host for all, and tells what they found in its metrics.
 */
export interface Check {
  /** As `doctor` and `/readyz` show it: a few words, lower case. */
  readonly name: string
  /**
   * True for what one host may lack while others have it, such as a folder: `/readyz` asks for it too, every few seconds, and a host that
   * fails gets no requests. False for what all hosts share, such as a mail server: without it they would all be out of service.
   */
  readonly isRequired: boolean
  /** The service that it asks, as `CallStatistics` counts it: while calls to it succeed, the look is not repeated. */
  readonly service?: { readonly protocol: string; readonly url: string }
  /** Milliseconds that it may take; 15 seconds unless given, for `/readyz` two. */
  readonly timeoutMs?: number
  /** Rejects with what is wrong, or finds it; nothing where there is nothing to ask. Lets go of everything when the signal aborts. */
  check(signal: AbortSignal): Promise<Finding | readonly Finding[]>
}
export const Check = port<Check>('Check', 'contribution')

/** What one check found. */
export interface CheckResult {
  readonly name: string
  readonly findings: readonly Finding[]
}

const TIMEOUT_MS = 15_000

/** Runs the checks that plugins contribute. */
export class Checks {
  static readonly inject = { checks: Check }

  constructor(private readonly use: Injected<typeof Checks.inject>) {}

  /** All of them at once; one that rejects or takes too long has failed. */
  run(): Promise<readonly CheckResult[]> {
    return Promise.all(this.use.checks.map(async (one) => ({ name: one.name, findings: await findingsOf(one) })))
  }
}

/** What a check finds; that it failed, when it rejects, takes too long or is stopped. */
export async function findingsOf(one: Check, stopped?: AbortSignal): Promise<readonly Finding[]> {
  try {
    return [await settledWithin(one.timeoutMs ?? TIMEOUT_MS, (signal) => one.check(signal), stopped)].flat()
  } catch (error) {
    return [{ state: 'fail', text: error instanceof Error ? error.message : String(error) }]
  }
}
