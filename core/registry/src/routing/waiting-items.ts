import { Database } from '../database/database.js'
import type { Completion, CompletionListener, DocumentRecord } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import type { ScheduledTask } from '../kernel/schedule.js'
import type { Injected } from '../kernel/service.js'
import type { PackageCompletionListener, StoredPackage } from '../packages/index.js'
import { ItemStore } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { MoveItems } from './move-items.js'

/** Delivers items that waited for a document or a package to be complete. */
export class DeliverOnCompletion implements CompletionListener, PackageCompletionListener {
  static readonly inject = { items: ItemStore, moves: MoveItems }

  constructor(private readonly use: Injected<typeof DeliverOnCompletion.inject>) {}

  async documentCompleted({ id }: DocumentRecord): Promise<Completion | undefined> {
    return this.deliver({ documentId: id })
  }

  async packageCompleted({ id }: StoredPackage): Promise<Completion | undefined> {
    return this.deliver({ packageId: id })
  }

  private async deliver(subject: Subject): Promise<Completion | undefined> {
    const waiting = await this.use.items.lockWaiting(subject)
    for (const item of waiting) await this.use.moves.deliver(item)
    const [first] = waiting
    return first && { outgoingId: first.id }
  }
}

const BATCH = 100

/** Fails items whose document or package was not completed in time. */
export class FailOverdueItems implements ScheduledTask {
  static readonly task = { name: 'failOverdueItems', schedule: '* * * * *' }
  static readonly inject = {
    items: ItemStore,
    moves: MoveItems,
    database: Database,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof FailOverdueItems.inject>) {}

  async run(): Promise<void> {
    for (;;) {
      const overdue = await this.use.items.waitingSince(this.use.clock.now() - this.use.limits.sendingMs, BATCH)
      for (const id of overdue) await this.use.database.transaction(() => this.fail(id))
      if (overdue.length < BATCH) return
    }
  }

  private async fail(id: string): Promise<void> {
    const item = await this.use.items.lock(id)
    // It may have been delivered meanwhile.
    if (item.status === 'sending') await this.use.moves.fail(item)
  }
}
