import { Database } from '../database/database.js'
import { json, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import type { PackageEmailNotifications, SignedPackageNotifications } from './schema.js'

const notifications = table('registry_package_notifications', {
  packageId: text('package_id'),
  signIds: json<readonly number[]>('sign_ids'),
  emailNotifications: json<PackageEmailNotifications>('email_notifications'),
})
/** Only the newest are answered; a package is hardly ever signed so often. */
const MAX_ANSWERED = 1000

/** Keeps the addresses that each signing of an entire package asked to notify. */
export class PackageNotifications {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof PackageNotifications.inject>) {}

  async add(packageId: string, signIds: readonly number[], asked: PackageEmailNotifications): Promise<void> {
    const row = notifications.row({ packageId, signIds, emailNotifications: asked })
    await this.use.database.query(notifications.name).insert(row)
  }

  async forget(packageId: string): Promise<void> {
    await this.use.database.query(notifications.name).where({ package_id: packageId }).delete()
  }

  /** In the order of signing. */
  async of(packageId: string): Promise<SignedPackageNotifications[]> {
    const rows = await this.use.database
      .query(notifications.name)
      .where({ package_id: packageId })
      .orderBy('id', 'desc')
      .limit(MAX_ANSWERED)
      .select(notifications.columns)
    return rows
      .reverse()
      .map(notifications.read, notifications)
      .map(({ signIds, emailNotifications }) => ({
        signIds: [...signIds],
        doNotAttachDocuments: false,
        ...emailNotifications,
      }))
  }
}
