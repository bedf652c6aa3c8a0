import type { Knex } from 'knex'
import { type AuditCheck, type AuditEvent, AuditSeals, AuditStore, auditArea } from './audit/index.js'
import { coreMigrations } from './core-areas.js'
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
import { type DocumentLogProof, documentProofs, ProveDocument } from './documents/index.js'
import { identityArea } from './identity/index.js'
import { kernelArea } from './kernel/area.js'
import { Clock } from './kernel/clock.js'
import { compose } from './kernel/compose.js'
import { partBehind } from './kernel/part-behind.js'
import type { Plugin } from './kernel/plugin.js'
import { provideValue } from './kernel/service.js'
import { Site } from './kernel/site.js'
import { KeptLedger, type KeptUse, keptResources, ledgerArea } from './ledger/index.js'
import { type LogOptions, LogSettings, logSettingsOf, logStorage, OperateLog } from './log/index.js'
import { notificationsArea } from './notifications/index.js'
import {
  Accounts,
  type OrganizationSubscription,
  organizationsArea,
  type SubscriptionChange,
  Subscriptions,
} from './organizations/index.js'
import { ArchiveStore, archiveChecks, CheckArchive } from './originals/index.js'
import { partiesArea } from './parties/index.js'
import { foundation, limitsOfAreas, type RegistryLimits } from './registry.js'
import {
  type LostProof,
  LostStore,
  type RenewalOptions,
  type RenewalReport,
  RenewalSettings,
  RenewalState,
  ReportRenewal,
  renewalReports,
  renewalSettingsOf,
} from './renewal/index.js'
import { ArchiveAccounts, type ArchiveQuota, settingsArea } from './settings/index.js'

/** What the administrator of a service can do with its database, also while a registry runs. */
export interface Administration {
  /** Users and organizations. */
  readonly accounts: Pick<Accounts, 'page' | 'get'>
  /** Answers the changed subscription. Rejects with `invalidNotificationEmail`. */
  changeSubscription(bin: string, change: SubscriptionChange): Promise<OrganizationSubscription>
  /** Sets the archive quota of an IIN or BIN. */
  setArchiveQuota(owner: string, quota: ArchiveQuota): Promise<void>
  /** Administrators' changes for an IIN or BIN: of its subscription, then of its quota, each oldest first. */
  changes(owner: string): AsyncIterable<AuditEvent<object>>
  /** Verifies the hash chain of audit events; `kept` is a hash that it had earlier. */
  checkAudit(kept?: string): Promise<AuditCheck>
  /** Compares database and archive store; throws a `TypeError` without an archive plugin. */
  archive(): Pick<CheckArchive, 'findings' | 'deleteUnknown'>
  /** The owners who store most, for each counted resource, largest first. */
  shares(limit: number): AsyncIterable<KeptUse>
  /** Deliveries of every owner, channel by channel. */
  deliveries(query: OperatorQuery): AsyncIterable<Delivery>
  /** Schedules deliveries again that are not under way, for a running registry to send; answers how many. */
  retryDeliveries(selection: OperatorSelection): Promise<number>
  /** The log: how it is getting on, going on after a restore, another key; and the role of a witness after a restore. */
  readonly log: Pick<OperateLog, 'report' | 'resume' | 'changeKey' | 'resumeWitness'>
  /** How the renewal of evidence is getting on, and asking a running registry to renew everything. */
  readonly renewal: {
    report(): Promise<RenewalReport>
    request(): Promise<void>
    /** Signatures that nothing proves to others any more, as the last run has found them. */
    lost(): AsyncIterable<LostProof>
  }
  /** What the log proves of a document. Rejects with `documentNotFound`. */
  proveDocument(documentId: string): AsyncIterable<DocumentLogProof>
  /** Closes the database. */
  close(): Promise<void>
}

/** The areas that administration needs; of plugins only the archive store is used. */
const AREAS = [
  kernelArea,
  databaseArea,
  identityArea,
  ledgerArea,
  notificationsArea,
  logStorage,
  auditArea,
  settingsArea,
  partiesArea,
  organizationsArea,
  archiveChecks,
  deliveryOperations,
  documentProofs,
  renewalReports,
]

/** Opens a database for administration and brings its schema up to date. No authorities are needed. */
export async function openAdministration(options: {
  /** As in `createRegistry`. */
  readonly database: string | Knex
  readonly limits?: Partial<RegistryLimits>
  /** Plugins, of which the archive store is used, for `archive`; none unless given. */
  readonly plugins?: readonly Plugin[]
  readonly clock?: Clock
  /** As in `createRegistry`. */
  readonly log?: 'off' | LogOptions
  /** As in `createRegistry`. */
  readonly renewal?: 'off' | RenewalOptions
  /** As in `createRegistry`; a log that is begun is named for it. */
  readonly site?: Site
  /** Name of the administrator for the audit. */
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
      ...(options.log !== undefined ? [provideValue(LogSettings, logSettingsOf(options.log))] : []),
      ...(options.renewal ? [provideValue(RenewalSettings, renewalSettingsOf(options.renewal))] : []),
      ...(options.site ? [provideValue(Site, options.site)] : []),
      ...limitsOfAreas(options.limits ?? {}),
    ]
    const { get } = compose(
      [...AREAS, foundation(knex, isOurs)],
      [...(options.plugins ?? []).map((plugin) => partBehind(plugin, ArchiveStore)), { name: 'options', provides }],
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
      log: get(OperateLog),
      renewal: {
        report: () => get(ReportRenewal).report(),
        request: () => get(RenewalState).request(),
        lost: () => get(LostStore).all(),
      },
      proveDocument: (documentId) => get(ProveDocument).proofs(documentId),
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
