import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { packageSettings } from './check-package.js'
import { PackageAccess } from './package-access.js'
import { PackageLists } from './package-lists.js'
import { PackageStore } from './package-store.js'
import type { ChangedPackage, PackageSettingsRequest } from './schema.js'

/** Replaces the settings of a package; what is omitted takes its default (specification, `POST /api/package/{packageId}/settings`). */
export class ChangePackageSettings {
  static readonly inject = [PackageStore, PackageLists, PackageAccess, AuditStore, Database, Clock] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly lists: PackageLists,
    private readonly access: PackageAccess,
    private readonly audit: AuditStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, packageId: string, wanted: PackageSettingsRequest): Promise<ChangedPackage> {
    const settings = packageSettings(wanted)
    await this.database.transaction(async () => {
      const before = await this.packages.lock(packageId)
      // By the settings of this moment: who lost the right a moment ago may not take it back.
      await this.access.assertMay('changeSettings', caller, before)
      await this.packages.changeSettings(packageId, settings)
      await this.lists.move(before, { ...before, settings })
      await this.audit.append({
        ownerKind: 'package',
        ownerId: packageId,
        original: before.settings,
        modified: settings,
        ...authorOf(caller),
        modifiedAt: this.clock.now(),
      })
    })
    return { packageId }
  }
}
