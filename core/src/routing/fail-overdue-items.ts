import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import type { ScheduledTask } from '../kernel/schedule.js'
import { ItemStore } from './item-store.js'
import { MoveItems } from './move-items.js'

const BATCH = 100

/** Gives up items whose document or package was not completed in time. */
export class FailOverdueItems implements ScheduledTask {
  static readonly inject = [ItemStore, MoveItems, Database, Clock, Limits] as const
  readonly name = 'fail overdue items'
  readonly everyMs = 60_000

  constructor(
    private readonly items: ItemStore,
    private readonly moves: MoveItems,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      const overdue = await this.items.waitingSince(this.clock.now() - this.limits.sendingMs, BATCH)
      for (const id of overdue) await this.database.transaction(() => this.#fail(id))
      if (overdue.length < BATCH) return
    }
  }

  async #fail(id: string): Promise<void> {
    const item = await this.items.lock(id)
    // It may have been delivered since it was found.
    if (item.status === 'sending') await this.moves.fail(item)
  }
}
