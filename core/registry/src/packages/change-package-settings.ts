import Type, { type Static } from 'typebox'
import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { byItself } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage } from './on-package.js'
import { PackageAccess } from './package-access.js'
import { PackageLists } from './package-lists.js'
import { packageSettings } from './package-settings.js'
import { PackageStore } from './package-store.js'
import { PackageParams, PackageSettingsRequest } from './schema.js'

/** Answer of `POST /api/package/{packageId}/settings`. */
export const ChangedPackage = Type.Object({ packageId: Type.String() }, { $id: 'ChangedPackage' })
export type ChangedPackage = Static<typeof ChangedPackage>

/** Replaces the settings of a package; what is omitted takes its default (specification, `POST /api/package/{packageId}/settings`). */
export class ChangePackageSettings {
  static readonly operation = operation({
    id: 'changePackageSettings',
    group: 'packages',
    at: 'POST /package/:packageId/settings',
    who: byItself(onPackage('changeSettings')),
    summary: 'Replace the settings of a package; what is omitted takes its default',
    description:
      'Whoever registered it may, whom `packageSettings` names, and who has the right `packagesSettings` in its organization.',
    params: PackageParams,
    request: PackageSettingsRequest,
    json: { bytes: 512 * 1024, values: 10_000 },
    answer: ChangedPackage,
    refuses: ['invalidPackageSettings'],
  })
  static readonly inject = {
    packages: PackageStore,
    lists: PackageLists,
    access: PackageAccess,
    audit: AuditStore,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ChangePackageSettings.inject>) {}

  async execute(
    caller: Caller,
    { packageId, request }: Input<typeof ChangePackageSettings.operation>,
  ): Promise<ChangedPackage> {
    const settings = packageSettings(request)
    await this.use.database.transaction(async () => {
      const before = await this.use.packages.lock(packageId)
      // Checked by the locked settings: whoever has just lost the right may not take it back.
      await this.use.access.assertMay('changeSettings', caller, before)
      await this.use.packages.changeSettings(packageId, settings)
      await this.use.lists.move(before, { ...before, settings })
      await this.use.audit.append({
        ownerKind: 'package',
        ownerId: packageId,
        original: before.settings,
        modified: settings,
        ...authorOf(caller),
        modifiedAt: this.use.clock.now(),
      })
    })
    return { packageId }
  }
}
