import { RoutedItems, registratorObject } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { byItself } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { onPackage } from './on-package.js'
import { PackageAccess } from './package-access.js'
import { PackageNotifications } from './package-notifications.js'
import { type ListedPackage, PackageStore } from './package-store.js'
import { Package, type PackageListItem, PackageParams } from './schema.js'

/** Answers a package; this gives no access to its documents (specification, `GET /api/package/{packageId}`). */
export class GetPackage {
  static readonly operation = operation({
    id: 'getPackage',
    group: 'packages',
    at: 'GET /package/:packageId',
    who: byItself(onPackage('view')),
    summary: 'Read a package',
    description: 'It opens none of its documents.',
    params: PackageParams,
    answer: Package,
  })
  static readonly inject = {
    packages: PackageStore,
    notifications: PackageNotifications,
    access: PackageAccess,
    states: DataStates,
    routed: RoutedItems,
  }

  constructor(private readonly use: Injected<typeof GetPackage.inject>) {}

  async execute(caller: Caller, { packageId }: Input<typeof GetPackage.operation>): Promise<Package> {
    const found = await this.use.packages.get(packageId)
    await this.use.access.assertMay('view', caller, found)
    return {
      ...packageItem(found),
      emailNotifications: { to: [], doNotAttachDocuments: false, ...found.emailNotifications },
      signatureEmailNotifications: await this.use.notifications.of(packageId),
      settings: found.settings,
      documentsSettings: found.documentsSettings,
      ...(await this.use.states.ofWhole(found.documentsIds)),
      ...(await this.use.routed.idsFor(caller, { packageId })),
    }
  }
}

/** A package as lists show it. */
export const packageItem = (stored: ListedPackage): PackageListItem => ({
  packageId: stored.id,
  title: stored.title,
  description: stored.description,
  storedAt: stored.storedAt,
  documentsIds: [...stored.documentsIds],
  ...(stored.registrator && { registrator: registratorObject(stored.registrator) }),
})
