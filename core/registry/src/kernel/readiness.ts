import { Logger } from './logger.js'
import { port } from './port.js'
import type { Injected } from './service.js'

/** `stale`: it serves, but somebody should have a look. */
export type Readiness = 'ok' | 'stale'

/** A check of something that a registry cannot serve without. */
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

const TIMEOUT_MS = 2000

/** Tells whether a registry can serve. */
export class ReadinessChecks {
  static readonly inject = { checks: ReadinessCheck, logger: Logger }

  constructor(private readonly use: Injected<typeof ReadinessChecks.inject>) {}

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(this.use.checks.map(async (one) => [one.name, await this.result(one)] as const))
    return { ready: results.every(([, result]) => result !== 'failed'), checks: Object.fromEntries(results) }
  }

  private async result(one: ReadinessCheck): Promise<Readiness | 'failed'> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    })
    try {
      return await Promise.race([one.check(), late])
    } catch (error) {
      this.use.logger.warn('The registry is not ready', { check: one.name, error })
      return 'failed'
    } finally {
      clearTimeout(timer)
    }
  }
}
