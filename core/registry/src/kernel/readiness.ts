import { Check } from './check.js'
import { Logger } from './logger.js'
import { port } from './port.js'
import type { Injected } from './service.js'
import { settledWithin } from './settled-within.js'

/** `stale`: it serves, but somebody should have a look. */
export type Readiness = 'ok' | 'stale'

/** A check of how a running registry is getting on, for `/readyz` alone; `Check` is for what plugins depend on. */
export interface ReadinessCheck {
  /** As `/readyz` shows it: one word, lower case. */
  readonly name: string
  /** Rejects when it fails. A check that takes longer than two seconds has failed. */
  check(): Promise<Readiness>
}
export const ReadinessCheck = port<ReadinessCheck>('ReadinessCheck', 'contribution')

/** The results of the checks. */
export interface ReadinessReport {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, Readiness | 'failed'>>
}

interface Asked {
  readonly name: string
  /** One that hangs, as on a disk of the network, is not begun again: each would hold a thread. */
  readonly isShared?: boolean
  check(signal: AbortSignal): Promise<Readiness>
}

const TIMEOUT_MS = 2000

/** Tells whether a registry can serve. */
export class ReadinessChecks {
  static readonly inject = { checks: ReadinessCheck, ofPlugins: Check, logger: Logger }
  private readonly asked: readonly Asked[]
  /** Shared checks that have not settled yet. */
  private readonly running = new Map<Asked, Promise<Readiness>>()

  constructor(private readonly use: Injected<typeof ReadinessChecks.inject>) {
    this.asked = [...use.checks, ...use.ofPlugins.filter(({ isRequired }) => isRequired).map(readinessOf)]
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(this.asked.map(async (one) => [one.name, await this.result(one)] as const))
    return { ready: results.every(([, result]) => result !== 'failed'), checks: Object.fromEntries(results) }
  }

  private async result(one: Asked): Promise<Readiness | 'failed'> {
    try {
      return await settledWithin(TIMEOUT_MS, (signal) => this.once(one, signal))
    } catch (error) {
      this.use.logger.warn('The registry is not ready', { check: one.name, error })
      return 'failed'
    }
  }

  /** A database is asked afresh: what was asked over a connection that died may hang for minutes. */
  private once(one: Asked, signal: AbortSignal): Promise<Readiness> {
    if (!one.isShared) return one.check(signal)
    const before = this.running.get(one)
    if (before !== undefined) return before
    const begun = one.check(signal).finally(() => this.running.delete(one))
    this.running.set(one, begun)
    return begun
  }
}

/** A check of a plugin as `/readyz` takes it. */
const readinessOf = (one: Check): Asked => ({
  name: one.name,
  isShared: true,
  async check(signal) {
    const findings = [await one.check(signal)].flat()
    const failed = findings.filter(({ state }) => state === 'fail')
    if (failed.length > 0) throw new Error(failed.map(({ text }) => text).join('; '))
    return findings.every(({ state }) => state === 'ok') ? 'ok' : 'stale'
  },
})
