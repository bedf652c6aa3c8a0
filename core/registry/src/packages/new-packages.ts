import { type DocumentSettings, registratorOf } from '../documents/index.js'
import { EventPublisher } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { PackageLists } from './package-lists.js'
import { packageSettings } from './package-settings.js'
import { PackageStore, type StoredPackage } from './package-store.js'
import type { PackageEmailNotifications, PackageSettingsRequest } from './schema.js'

/** What a package is registered with; of its documents only how many there are. */
interface GivenPackage {
  readonly title: string
  readonly description: string
  readonly settings?: PackageSettingsRequest
  readonly documentsSettings?: DocumentSettings
  readonly emailNotifications?: PackageEmailNotifications
  readonly documents: readonly unknown[]
}

/** Stores packages; the caller stores their documents in the same transaction. */
export class NewPackages {
  static readonly inject = { packages: PackageStore, lists: PackageLists, events: EventPublisher }

  constructor(private readonly use: Injected<typeof NewPackages.inject>) {}

  async add(added: StoredPackage): Promise<void> {
    await this.use.packages.add(added)
    await this.use.lists.add(added)
    await this.use.events.publish({ type: 'packageRegistered', packageId: added.id })
  }
}

/** A new package, with identifiers for its documents. Throws `invalidPackageSettings`. */
export const newPackage = (
  caller: Caller,
  { title, description, settings = {}, documentsSettings = {}, emailNotifications, documents }: GivenPackage,
  { storedAt, dataSecretDigest }: Pick<StoredPackage, 'storedAt' | 'dataSecretDigest'>,
): StoredPackage => ({
  id: newId(),
  storedAt,
  title,
  description,
  settings: packageSettings(settings),
  documentsSettings,
  documentsIds: documents.map(newId),
  emailNotifications,
  registeredBy: 'iin' in caller ? caller : undefined,
  registrator: registratorOf(caller),
  dataSecretDigest,
})
