import {
  ChangedPackage,
  ChangePackageSettings,
  GetPackage,
  GetPackageSettingsAudit,
  ListPackages,
  Package,
  PackageList,
  PackageSettingsAudit,
  PackageSettingsRequest,
  RegisteredPackage,
  RegisterPackage,
  RegisterPackageRequest,
  type Registry,
  SignedPackage,
  SignPackage,
  SignPackageRequest,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { operation } from './operation.js'
import { AuditPage } from './settings.js'

export const PackageParams = Type.Object({ packageId: Type.String({ description: 'identifier of the package' }) })

const Window = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered from this time on' })),
  until: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered before this time' })),
  organization: Type.Optional(Type.Boolean({ description: 'the packages of the organization; false by default' })),
})

/** Registering, reading and listing packages. */
export function packageRoutes(app: Api, registry: Registry): void {
  const registerPackage = registry.get(RegisterPackage)
  const getPackage = registry.get(GetPackage)
  const listPackages = registry.get(ListPackages)
  addComponents(app, [RegisterPackageRequest, RegisteredPackage, Package, PackageList])

  app.post(
    '/package',
    {
      schema: operation(
        'registerPackage',
        'packages',
        'Register a package and reserve identifiers for its documents',
        { body: ref(RegisterPackageRequest) },
        ref(RegisteredPackage),
      ),
    },
    ({ caller, body }) => registerPackage.execute(caller, body),
  )

  app.get(
    '/package',
    {
      schema: operation(
        'listPackages',
        'packages',
        'List packages, newest first; read on with until set to the last storedAt until packages is empty',
        { querystring: Window },
        ref(PackageList),
      ),
    },
    ({ caller, query }) => listPackages.execute(caller, query),
  )

  app.get(
    '/package/:packageId',
    {
      schema: operation('getPackage', 'packages', 'Read a package', { params: PackageParams }, ref(Package)),
    },
    ({ caller, params }) => getPackage.execute(caller, params.packageId),
  )

  signingRoutes(app, registry)
}

function signingRoutes(app: Api, registry: Registry): void {
  const signPackage = registry.get(SignPackage)
  const changeSettings = registry.get(ChangePackageSettings)
  const getSettingsAudit = registry.get(GetPackageSettingsAudit)
  addComponents(app, [SignPackageRequest, SignedPackage, PackageSettingsRequest, ChangedPackage, PackageSettingsAudit])

  app.post(
    '/package/:packageId',
    {
      schema: operation(
        'signPackage',
        'packages',
        'Add a signature to every document of a package, or to none',
        { params: PackageParams, body: ref(SignPackageRequest) },
        ref(SignedPackage),
      ),
    },
    ({ caller, params, body }) => signPackage.execute(caller, params.packageId, body),
  )

  app.post(
    '/package/:packageId/settings',
    {
      schema: operation(
        'changePackageSettings',
        'packages',
        'Replace the settings of a package; what is omitted takes its default',
        { params: PackageParams, body: ref(PackageSettingsRequest) },
        ref(ChangedPackage),
      ),
    },
    ({ caller, params, body }) => changeSettings.execute(caller, params.packageId, body),
  )

  app.get(
    '/package/:packageId/settingsAudit',
    {
      schema: operation(
        'getPackageSettingsAudit',
        'packages',
        'Read who changed the settings of a package; read on with lastEventId until events is empty',
        { params: PackageParams, querystring: AuditPage },
        ref(PackageSettingsAudit),
      ),
    },
    ({ caller, params, query }) => getSettingsAudit.execute(caller, params.packageId, query),
  )
}
