import { AuditStore } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { PackageAccess } from './package-access.js'
import { PackageStore } from './package-store.js'
import type { PackageSettings, PackageSettingsAudit } from './schema.js'

/** Answers who changed the settings of a package, and how (specification, `GET /api/package/{packageId}/settingsAudit`). */
export class GetPackageSettingsAudit {
  static readonly inject = [PackageStore, PackageAccess, AuditStore, Limits] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly access: PackageAccess,
    private readonly audit: AuditStore,
    private readonly limits: Limits,
  ) {}

  async execute(
    caller: Caller,
    packageId: string,
    query: { lastEventId?: number | undefined } = {},
  ): Promise<PackageSettingsAudit> {
    await this.access.assertMay('changeSettings', caller, await this.packages.get(packageId))
    const { lastEventId = 0 } = query
    const page = await this.audit.page<PackageSettings>(
      'package',
      packageId,
      lastEventId,
      this.limits.auditEventsPerCall,
    )
    return { packageId, ...page }
  }
}
