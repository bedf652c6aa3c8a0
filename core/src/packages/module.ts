import { ContainerModule } from 'inversify'
import { CompletionListener, PackageRules } from '../documents/index.js'
import { provide } from '../kernel/token.js'
import { ChangePackageSettings } from './change-package-settings.js'
import { PackageCompletion } from './completion.js'
import { GetPackage } from './get-package.js'
import { GetPackageSettingsAudit } from './get-package-settings-audit.js'
import { ListPackages } from './list-packages.js'
import { PackageAccess } from './package-access.js'
import { PackageLists } from './package-lists.js'
import { PackageNotifications } from './package-notifications.js'
import { StoredPackageRules } from './package-rules.js'
import { PackageStore } from './package-store.js'
import { RegisterPackage } from './register-package.js'
import { SignPackage } from './sign-package.js'
import { VerifySignatures } from './verify-signatures.js'

export const packagesModule = new ContainerModule(({ bind }) => {
  provide(bind, PackageStore, PackageStore)
  provide(bind, PackageLists, PackageLists)
  provide(bind, PackageNotifications, PackageNotifications)
  provide(bind, PackageAccess, PackageAccess)
  provide(bind, PackageRules, StoredPackageRules)
  provide(bind, CompletionListener, PackageCompletion)
  provide(bind, VerifySignatures, VerifySignatures)
  provide(bind, RegisterPackage, RegisterPackage)
  provide(bind, GetPackage, GetPackage)
  provide(bind, ListPackages, ListPackages)
  provide(bind, SignPackage, SignPackage)
  provide(bind, ChangePackageSettings, ChangePackageSettings)
  provide(bind, GetPackageSettingsAudit, GetPackageSettingsAudit)
})
