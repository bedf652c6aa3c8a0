import { RoutedItems, registratorObject } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { PackageAccess } from './package-access.js'
import { PackageNotifications } from './package-notifications.js'
import { PackageStore, type StoredPackage } from './package-store.js'
import type { Package, PackageList } from './schema.js'

/** Answers a package; it opens none of its documents (specification, `GET /api/package/{packageId}`). */
export class GetPackage {
  static readonly inject = [PackageStore, PackageNotifications, PackageAccess, RoutedItems] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly notifications: PackageNotifications,
    private readonly access: PackageAccess,
    private readonly routed: RoutedItems,
  ) {}

  async execute(caller: Caller, packageId: string): Promise<Package> {
    const found = await this.packages.get(packageId)
    await this.access.assertMay('view', caller, found)
    return {
      ...packageItem(found),
      ...(found.emailNotifications && { emailNotifications: found.emailNotifications }),
      signatureEmailNotifications: await this.notifications.of(packageId),
      settings: found.settings,
      documentsSettings: found.documentsSettings,
      ...(await this.routed.idsFor(caller, { packageId })),
    }
  }
}

/** A package as lists show it. */
export const packageItem = (stored: StoredPackage): PackageList['packages'][number] => ({
  packageId: stored.id,
  title: stored.title,
  description: stored.description,
  storedAt: stored.storedAt,
  documentsIds: [...stored.documentsIds],
  ...(stored.registrator && { registrator: registratorObject(stored.registrator) }),
})
