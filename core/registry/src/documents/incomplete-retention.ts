import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { DocumentLimits } from './limits.js'

const BATCH = 100
const DAY = 24 * 60 * 60_000

/** How long documents and packages are kept whose originals never came and that nobody signed: `incompleteRetentionMs`, 0 for ever. */
export class IncompleteRetention {
  static readonly inject = { database: Database, clock: Clock, limits: DocumentLimits }

  constructor(private readonly use: Injected<typeof IncompleteRetention.inject>) {}

  /**
   * Looks at all that has waited too long, each in a transaction of its own. `waitingSince` gives the ids that wait since
   * a moment or longer; `lookAt` forgets one, or sees to it that it waits no more or has `aDayLeft`.
   */
  async overdue(
    waitingSince: (moment: number, limit: number) => Promise<readonly string[]>,
    lookAt: (id: string) => Promise<void>,
  ): Promise<void> {
    const { database, clock, limits } = this.use
    if (limits.incompleteRetentionMs === 0) return
    for (;;) {
      const ids = await waitingSince(clock.now() - limits.incompleteRetentionMs, BATCH)
      for (const id of ids) await database.transaction(() => lookAt(id))
      if (ids.length < BATCH) return
    }
  }

  /** A beginning to wait for what is to be looked at again in a day. */
  aDayLeft(): number {
    return this.use.clock.now() - this.use.limits.incompleteRetentionMs + DAY
  }
}
