import { Database } from '../database/database.js'
import type { Injected } from '../kernel/service.js'
import { type ArchiveAccount, ArchiveAccounts } from '../settings/index.js'
import { type OrganizationSubscription, Subscriptions } from './subscriptions.js'

/** A user or an organization as the service's administrator sees it. */
export interface Account extends ArchiveAccount {
  /** IIN or BIN. */
  readonly owner: string
  /** False where the service has no data of this owner and answers defaults. */
  readonly isKnown: boolean
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

/** Lists users and organizations with their quotas and subscriptions, for the service's administrator. */
export class Accounts {
  static readonly inject = { database: Database, archive: ArchiveAccounts, subscriptions: Subscriptions }

  constructor(private readonly use: Injected<typeof Accounts.inject>) {}

  /** At most `limit` accounts after the owner `after`, ordered by owner; an empty page is the end. */
  async page(kind: 'organizations' | 'users', after = '', limit = 100): Promise<Account[]> {
    const owners = new Set<string>()
    for (const [table, column] of TABLES[kind]) {
      const found: string[] = await this.use.database
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

  /** One account; defaults for an owner unknown to the service. */
  async get(owner: string): Promise<Account> {
    const archive = await this.use.archive.get(owner)
    const isKnown = await this.isKnown(owner)
    if (!owner.startsWith(PREFIXES.organizations)) return { owner, isKnown, ...archive }
    return { owner, isKnown, subscription: await this.use.subscriptions.get(owner), ...archive }
  }

  private async isKnown(owner: string): Promise<boolean> {
    const tables = owner.startsWith(PREFIXES.organizations) ? TABLES.organizations : TABLES.users
    for (const [table, column] of tables) {
      if (await this.use.database.query(table).where(column, owner).first(column)) return true
    }
    return false
  }
}
