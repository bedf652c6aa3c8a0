import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import { Clock } from '../kernel/clock.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import type { Call, CallStatistics } from '../signatures/index.js'

/** Window of the statistics of external services, minutes (specification: "usually 10 to 30 minutes"). */
export const StatisticsWindow = port<number>('StatisticsWindow', 'defaulted')
export const DEFAULT_WINDOW_MINUTES = 20

const MINUTE = 60_000
const KEPT_MINUTES = 24 * 60
const TABLE = 'registry_service_calls'

/** Results of the calls to one external service within the window. */
export interface ServiceCalls {
  readonly protocol: string
  readonly url: string
  readonly succeeded: number
  readonly failed: number
}

/** Counts calls to external services by minute, for all hosts of a database. */
export class SqlCallStatistics implements CallStatistics {
  static readonly inject = { database: Database, clock: Clock, windowMinutes: StatisticsWindow }

  private writing: Promise<void> = Promise.resolve()

  constructor(private readonly use: Injected<typeof SqlCallStatistics.inject>) {}

  /** Returns at once; counts are written in the background, one after the other. */
  record(call: Call): void {
    this.writing = this.writing.then(() => this.write(call)).catch(() => undefined)
  }

  /** Resolves when every recorded call is in the database. */
  written(): Promise<void> {
    return this.writing
  }

  private async write({ protocol, url, ok }: Call): Promise<void> {
    const key = { protocol, url: url.slice(0, 255), minute: this.minute() }
    if (await this.count(key, ok)) return
    try {
      await this.use.database.query(TABLE).insert({ ...key, succeeded: Number(ok), failed: Number(!ok) })
      await this.use.database
        .query(TABLE)
        .where('minute', '<', key.minute - KEPT_MINUTES)
        .delete()
    } catch (error) {
      // Another host has created the row of this minute.
      if (!isUniqueViolation(error)) throw error
      await this.count(key, ok)
    }
  }

  private async count(key: { protocol: string; url: string; minute: number }, ok: boolean): Promise<boolean> {
    return (
      (await this.use.database
        .query(TABLE)
        .where(key)
        .increment(ok ? 'succeeded' : 'failed', 1)) === 1
    )
  }

  /** The minute in which a service was called last, if every call in it succeeded; milliseconds. */
  async lastSuccess({ protocol, url }: Pick<ServiceCalls, 'protocol' | 'url'>): Promise<number | undefined> {
    await this.written()
    const sql = `select minute, succeeded, failed from ${TABLE} where protocol = ? and url = ? order by minute desc limit 1`
    const [last] = await this.use.database.rows(sql, [protocol, url.slice(0, 255)])
    if (last === undefined || Number(last.failed) > 0 || Number(last.succeeded) === 0) return undefined
    return Number(last.minute) * MINUTE
  }

  /** Services called within a day, with their calls within the window. */
  async services(): Promise<ServiceCalls[]> {
    await this.written()
    const since = this.minute() - this.use.windowMinutes
    const rows: { protocol: string; url: string; minute: number; succeeded: number; failed: number }[] =
      await this.use.database
        .query(TABLE)
        .select('protocol', 'url', 'minute', 'succeeded', 'failed')
        .orderBy(['protocol', 'url'])
    const services = new Map<string, ServiceCalls>()
    for (const { protocol, url, minute, succeeded, failed } of rows) {
      const key = `${protocol} ${url}`
      const before = services.get(key) ?? { protocol, url, succeeded: 0, failed: 0 }
      const counts = Number(minute) > since ? 1 : 0
      services.set(key, {
        protocol,
        url,
        succeeded: before.succeeded + counts * succeeded,
        failed: before.failed + counts * failed,
      })
    }
    return [...services.values()]
  }

  private minute(): number {
    return Math.floor(this.use.clock.now() / MINUTE)
  }
}
