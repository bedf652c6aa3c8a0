import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { type ArchiveAccount, ArchiveAccounts } from '../settings/index.js'
import { describeSubscription } from './get-organization-subscription.js'
import type { OrganizationSubscription } from './schema.js'
import { SubscriptionStore } from './subscription-store.js'

/** A user or an organization, as the administrator of the service sees them. */
export interface Account extends ArchiveAccount {
  /** IIN or BIN. */
  readonly owner: string
  /** Absent for users. */
  readonly subscription?: OrganizationSubscription
}

const TABLES = {
  organizations: [
    ['registry_organizations', 'bin'],
    ['registry_subscriptions', 'bin'],
    ['registry_archive_accounts', 'owner_id'],
  ],
  users: [
    ['registry_user_settings', 'iin'],
    ['registry_archive_accounts', 'owner_id'],
  ],
} as const
const PREFIXES = { organizations: 'BIN', users: 'IIN' } as const

/** Lists whom the service knows, with their quotas and subscriptions, for its administrator. */
export class ListAccounts {
  static readonly inject = [Database, ArchiveAccounts, SubscriptionStore, Clock] as const

  constructor(
    private readonly database: Database,
    private readonly accounts: ArchiveAccounts,
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: Clock,
  ) {}

  /** At most `limit` accounts after the owner `after`, in the order of owners; read on until none is left. */
  async execute(kind: 'organizations' | 'users', after = '', limit = 100): Promise<Account[]> {
    const owners = new Set<string>()
    for (const [table, column] of TABLES[kind]) {
      const found: string[] = await this.database
        .query(table)
        .where(column, '>', after)
        .andWhere(column, 'like', `${PREFIXES[kind]}%`)
        .orderBy(column)
        .limit(limit)
        .pluck(column)
      for (const owner of found) owners.add(owner)
    }
    const page = [...owners].sort().slice(0, limit)
    return Promise.all(page.map((owner) => this.get(owner)))
  }

  /** One account, also of an owner that the service has not met. */
  async get(owner: string): Promise<Account> {
    const archive = await this.accounts.get(owner)
    if (!owner.startsWith(PREFIXES.organizations)) return { owner, ...archive }
    const subscription = await this.subscriptions.get(owner)
    return { owner, subscription: describeSubscription(subscription, this.clock.now()), ...archive }
  }
}
