import { Database } from '../database/database.js'
import type { PackageEmailNotifications, SignedPackageNotifications } from './schema.js'

const TABLE = 'registry_package_notifications'
/** The newest are answered; one package is hardly ever signed so often. */
const ANSWERED_MOST = 1000

interface Row {
  sign_ids: string
  email_notifications: string
}

/** Keeps whom each signing of a whole package asked to notify. */
export class PackageNotifications {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async add(packageId: string, signIds: readonly number[], asked: PackageEmailNotifications): Promise<void> {
    await this.database.query(TABLE).insert({
      package_id: packageId,
      sign_ids: JSON.stringify(signIds),
      email_notifications: JSON.stringify(asked),
    })
  }

  /** In the order of signing. */
  async of(packageId: string): Promise<SignedPackageNotifications[]> {
    const rows: Row[] = await this.database
      .query(TABLE)
      .where({ package_id: packageId })
      .orderBy('id', 'desc')
      .limit(ANSWERED_MOST)
      .select('sign_ids', 'email_notifications')
    return rows.reverse().map((row) => ({
      signIds: JSON.parse(row.sign_ids),
      doNotAttachDocuments: false,
      ...JSON.parse(row.email_notifications),
    }))
  }
}
