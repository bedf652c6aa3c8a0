export { type ChangedPackage, ChangePackageSettings } from './change-package-settings.js'
export { GetPackage } from './get-package.js'
export { GetPackageSettingsAudit, type PackageSettingsAudit } from './get-package-settings-audit.js'
export { ListPackages, type PackageList, type PackageListQuery } from './list-packages.js'
export { type RegisteredPackage, RegisterPackage, type RegisterPackageRequest } from './register-package.js'
export type {
  Package,
  PackageEmailNotifications,
  PackageSettings,
  PackageSettingsRequest,
  SignedPackageNotifications,
} from './schema.js'
export { type SignedPackage, SignPackage, type SignPackageRequest } from './sign-package.js'
