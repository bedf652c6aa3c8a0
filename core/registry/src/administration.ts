import type { Knex } from 'knex'
import { type AuditCheck, type AuditEvent, AuditSeals, AuditStore, auditArea } from './audit/index.js'
import { databaseArea } from './database/area.js'
import { migrate } from './database/migrate.js'
import { openDatabase } from './database/open.js'
import {
  type Delivery,
  deliveryOperations,
  OperateDeliveries,
  type OperatorQuery,
  type OperatorSelection,
} from './deliveries/index.js'
import { identityArea } from './identity/index.js'
import { kernelArea } from './kernel/area.js'
import { Clock } from './kernel/clock.js'
import { compose } from './kernel/compose.js'
import type { Plugin } from './kernel/plugin.js'
import { provideValue } from './kernel/service.js'
import { KeptLedger, type KeptUse, keptResources, ledgerArea } from './ledger/index.js'
import { notificationsArea } from './notifications/index.js'
import {
  Accounts,
  type OrganizationSubscription,
  organizationsArea,
  type SubscriptionChange,
  Subscriptions,
} from './organizations/index.js'
import { ArchiveStore, archiveChecks, CheckArchive } from './originals/index.js'
import { coreMigrations, foundation, limitsOfAreas, type RegistryLimits } from './registry.js'
import { ArchiveAccounts, type ArchiveQuota, settingsArea } from './settings/index.js'

/** What the administrator of a service may do with its database, beside a running registry. */
export interface Administration {
  /** Whom the service knows. */
  readonly accounts: Pick<Accounts, 'page' | 'get'>
  /** Answers the subscription as it is now. Rejects with `invalidNotificationEmail`. */
  changeSubscription(bin: string, change: SubscriptionChange): Promise<OrganizationSubscription>
  /** Sets the archive quota of an IIN or BIN. */
  setArchiveQuota(owner: string, quota: ArchiveQuota): Promise<void>
  /** What administrators changed for an IIN or BIN: its subscription, then its quota, each oldest first. */
  changes(owner: string): AsyncIterable<AuditEvent<object>>
  /** Computes the chain of audit events again; `kept` is a hash that it had at another time. */
  checkAudit(kept?: string): Promise<AuditCheck>
  /** Compares database and archive store; a `TypeError` where no plugin keeps originals. */
  archive(): Pick<CheckArchive, 'findings' | 'deleteUnknown'>
  /** Who leaves most with the registry, of each resource that is counted, the largest first. */
  shares(limit: number): AsyncIterable<KeptUse>
  /** Deliveries of every owner, channel by channel. */
  deliveries(query: OperatorQuery): AsyncIterable<Delivery>
  /** Has deliveries sent again that are not under way; answers how many. A running registry does it. */
  retryDeliveries(selection: OperatorSelection): Promise<number>
  /** Closes what was opened. */
  close(): Promise<void>
}

/** The areas that an administrator works with; of plugins only the archive store is asked for. */
const AREAS = [
  kernelArea,
  databaseArea,
  identityArea,
  ledgerArea,
  notificationsArea,
  auditArea,
  settingsArea,
  organizationsArea,
  archiveChecks,
  deliveryOperations,
]

/** Opens a database for administration; brings its schema up to date. No authorities are needed. */
export async function openAdministration(options: {
  /** As in `createRegistry`. */
  readonly database: string | Knex
  readonly limits?: Partial<RegistryLimits>
  /** Those that keep originals, for `archive`; none unless given. */
  readonly plugins?: readonly Plugin[]
  readonly clock?: Clock
  /** Who administers: the name stands in the audit. */
  readonly administrator?: string
}): Promise<Administration> {
  const { administrator = 'administrator' } = options
  const isOurs = typeof options.database === 'string'
  const knex = typeof options.database === 'string' ? openDatabase(options.database) : options.database
  const close = async () => {
    if (isOurs) await knex.destroy()
  }
  try {
    const provides = [
      ...(options.clock ? [provideValue(Clock, options.clock)] : []),
      ...limitsOfAreas(options.limits ?? {}),
    ]
    const { get } = compose(
      [...AREAS, foundation(knex, isOurs)],
      [...(options.plugins ?? []), { name: 'options', provides }],
    )
    await migrate(knex, coreMigrations)
    return {
      accounts: get(Accounts),
      changeSubscription: (bin, change) => get(Subscriptions).change(bin, change, administrator),
      setArchiveQuota: (owner, quota) => get(ArchiveAccounts).setQuota(owner, quota, administrator),
      changes: (owner) => changes(get(AuditStore), owner),
      archive() {
        if (get(ArchiveStore) === undefined) throw new TypeError('This registry keeps no originals')
        return get(CheckArchive)
      },
      checkAudit: (kept) => get(AuditSeals).check(kept),
      shares: (limit) => largest(get(KeptLedger), limit),
      deliveries: (query) => get(OperateDeliveries).list(query),
      retryDeliveries: (selection) => get(OperateDeliveries).again(selection),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function* largest(ledger: KeptLedger, limit: number): AsyncGenerator<KeptUse> {
  for (const resource of keptResources) yield* await ledger.largest(resource, limit)
}

async function* changes(audit: AuditStore, owner: string): AsyncGenerator<AuditEvent<object>> {
  for (const kind of ['subscription', 'archiveQuota'] as const) {
    let lastEventId = 0
    for (;;) {
      const { events } = await audit.page<object>(kind, owner, { lastEventId })
      yield* events
      const last = events.at(-1)
      if (last === undefined) break
      lastEventId = last.eventId
    }
  }
}
