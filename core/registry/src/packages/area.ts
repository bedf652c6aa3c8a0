import { CompletionListener, PackageRules } from '../documents/index.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide } from '../kernel/service.js'
import { PackageCompletion } from './completion.js'
import { packageErrors } from './errors.js'
import { ForgetPackages } from './forget-packages.js'
import { PackageLimits } from './limits.js'
import * as packages from './migrations/0007-packages.js'
import * as anonymousPackages from './migrations/0031-anonymous-packages.js'
import * as allPackagesWait from './migrations/0081-all-packages-wait.js'
import * as packageTurns from './migrations/0156-package-turns.js'
import { NewPackages } from './new-packages.js'
import * as operations from './operations.js'
import { PackageAccess, StoredPackageRules } from './package-access.js'
import { PackageLists } from './package-lists.js'
import { PackageNotifications } from './package-notifications.js'
import { PackageStore } from './package-store.js'
import { VerifySignatures } from './verify-signatures.js'

export const packagesArea = area({
  name: 'packages',
  errors: [packageErrors],
  migrations: {
    '0007-packages': packages,
    '0031-anonymous-packages': anonymousPackages,
    '0081-all-packages-wait': allPackagesWait,
    '0156-package-turns': packageTurns,
  },
  services: [PackageStore, PackageLists, NewPackages, PackageNotifications, PackageAccess, VerifySignatures],
  provides: [
    provideLimits(PackageLimits),
    provide(PackageRules, StoredPackageRules),
    provide(CompletionListener, PackageCompletion),
  ],
  tasks: [ForgetPackages],
  operations: Object.values(operations),
})
