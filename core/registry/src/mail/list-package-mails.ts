import Type, { type Static } from 'typebox'
import { PackageRules } from '../documents/index.js'
import { assertAuthenticated, type Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageParams, PackageStore } from '../packages/index.js'
import { askersWithSecret, MailRecord, MailRecordQuery, NotificationRecord } from './mail-record.js'

/** Answer of `GET /api/package/{packageId}/notifications`. */
export const PackageNotificationsRecord = Type.Object(
  { packageId: Type.String(), notifications: Type.Array(NotificationRecord) },
  { $id: 'PackageNotificationsRecord' },
)
export type PackageNotificationsRecord = Static<typeof PackageNotificationsRecord>

/** Answers what became of the mails about a package that the caller asked for (ours). */
export class ListPackageMails {
  static readonly operation = operation({
    id: 'listPackageNotifications',
    group: 'packages',
    summary:
      'List what became of the mails about a package; read on with until = createdAt of the last one until the list is empty',
    description:
      'Newest first, and to who asked for them alone: whoever registered or signed the package with them, began a procedure with them, or called `POST /api/package/{packageId}/notify`; for systems also employees of their organization with `packagesAccess`. Mails about signatures under one document are in the record of that document.',
    params: PackageParams,
    query: MailRecordQuery,
    answer: PackageNotificationsRecord,
  })
  static readonly inject = {
    packages: PackageStore,
    access: PackageAccess,
    rules: PackageRules,
    record: MailRecord,
  }

  constructor(private readonly use: Injected<typeof ListPackageMails.inject>) {}

  async execute(
    caller: Caller,
    { packageId, query = {} }: Input<typeof ListPackageMails.operation>,
  ): Promise<PackageNotificationsRecord> {
    const { rules, record } = this.use
    const { dataSecret, until } = query
    const stored = await this.use.packages.get(packageId)
    if (dataSecret !== undefined && (await rules.knowsSecret(packageId, dataSecret)))
      return { packageId, notifications: await record.page(packageId, askersWithSecret, until) }
    assertAuthenticated(caller)
    await this.use.access.assertMay('view', caller, stored)
    const askers = await record.askersOf(caller, 'packagesAccess')
    return { packageId, notifications: await record.page(packageId, askers, until) }
  }
}
