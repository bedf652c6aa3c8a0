import { Database } from '../database/database.js'
import { EventPublisher } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { ArchiveAccounts } from '../settings/index.js'

const AT_ONCE = 100

/** Emits one event for each additional archive quota that has expired (specification, mail type 5). */
export class TellExpiredQuotas {
  static readonly task = { name: 'tellExpiredQuotas', schedule: '* * * * *' }
  static readonly inject = { accounts: ArchiveAccounts, events: EventPublisher, database: Database }

  constructor(private readonly use: Injected<typeof TellExpiredQuotas.inject>) {}

  async run(): Promise<void> {
    for (;;) {
      const owners = await this.use.database.transaction(async () => {
        const expired = await this.use.accounts.noteExpired(AT_ONCE)
        await this.use.events.publish(...expired.map((owner) => ({ type: 'archiveQuotaExpired', owner }) as const))
        return expired
      })
      if (owners.length < AT_ONCE) return
    }
  }
}
