import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageParams, PackageStore } from '../packages/index.js'
import { MailRecord, MailRecordQuery, NotificationRecord } from './mail-record.js'

/** Answer of `GET /api/package/{packageId}/notifications`. */
export const PackageNotificationsRecord = Type.Object(
  { packageId: Type.String(), notifications: Type.Array(NotificationRecord) },
  { $id: 'PackageNotificationsRecord' },
)
export type PackageNotificationsRecord = Static<typeof PackageNotificationsRecord>

/** Lists the mails about a package that the caller asked for, and their state (not in the specification). */
export class ListPackageMails {
  static readonly operation = operation({
    id: 'listPackageNotifications',
    group: 'packages',
    at: 'GET /package/:packageId/notifications',
    who: told('whoever may view the package and is authenticated, about the mails that they asked for'),
    summary:
      'List what became of the mails about a package; read on with until = createdAt of the last one until the list is empty',
    description:
      'Newest first, and to who asked for them alone: whoever registered or signed the package with them, began a procedure with them, or called `POST /api/package/{packageId}/notify`; for systems also employees of their organization with `packagesAccess`. Mails about signatures under one document are in the record of that document.',
    params: PackageParams,
    query: MailRecordQuery,
    answer: PackageNotificationsRecord,
    refuses: ['accessDenied', 'authenticationRequired', 'invalidPackageIdentifier', 'packageNotFound'],
  })
  static readonly inject = {
    packages: PackageStore,
    access: PackageAccess,
    record: MailRecord,
  }

  constructor(private readonly use: Injected<typeof ListPackageMails.inject>) {}

  async execute(
    caller: Caller,
    { packageId, query = {} }: Input<typeof ListPackageMails.operation>,
  ): Promise<PackageNotificationsRecord> {
    const { access, record } = this.use
    const { dataSecret, until } = query
    const stored = await this.use.packages.get(packageId)
    const askers = await record.askersOf(caller, {
      packageId,
      dataSecret,
      right: 'packagesAccess',
      assertMayView: () => access.assertMay('view', caller, stored),
    })
    return { packageId, notifications: await record.page(packageId, askers, until) }
  }
}
