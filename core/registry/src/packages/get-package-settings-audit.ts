import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, auditPage } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage } from './on-package.js'
import { PackageParams, PackageSettings } from './schema.js'

/** Answer of `GET /api/package/{packageId}/settingsAudit`. */
export const PackageSettingsAudit = Type.Object(
  { packageId: Type.String(), ...auditPage(PackageSettings.properties) },
  { $id: 'PackageSettingsAudit' },
)
export type PackageSettingsAudit = Static<typeof PackageSettingsAudit>

/** Answers who changed the settings of a package, and how (specification, `GET /api/package/{packageId}/settingsAudit`). */
export class GetPackageSettingsAudit {
  static readonly operation = operation({
    id: 'getPackageSettingsAudit',
    group: 'packages',
    at: 'GET /package/:packageId/settingsAudit',
    who: onPackage('changeSettings'),
    summary: 'Read who changed the settings of a package; read on with lastEventId until events is empty',
    description: 'Events are never changed or removed.',
    params: PackageParams,
    query: AuditQuery,
    answer: PackageSettingsAudit,
  })
  static readonly inject = { audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetPackageSettingsAudit.inject>) {}

  async execute(
    _caller: Caller,
    { packageId, query }: Input<typeof GetPackageSettingsAudit.operation>,
  ): Promise<PackageSettingsAudit> {
    return { packageId, ...(await this.use.audit.page<PackageSettings>('package', packageId, query)) }
  }
}
