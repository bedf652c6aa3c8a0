import type { GuardOptions } from '../documents/index.js'
import { assertAuthenticated, type Caller, type PackageAction } from '../identity/index.js'
import { guard } from '../kernel/operation.js'
import { PackageAccess } from './package-access.js'
import { PackageStore } from './package-store.js'

const WORDS: Readonly<Record<PackageAction, string>> = {
  view: 'whoever may view the package',
  act: 'whoever may act on the package',
  sendDocuments: 'whoever may send the documents of the package',
  changeSettings: 'whoever may change the settings of the package',
}

/** Callers with access to the package in the path, by the access table; `execute` gets it as `found`. */
export const onPackage = (action: PackageAction, { more = '', authenticated }: GuardOptions = {}) =>
  guard({
    words: `${WORDS[action]}${authenticated ? ' and is authenticated' : ''}${more}`,
    refuses: ['invalidPackageIdentifier', 'packageNotFound', 'authenticationRequired', 'accessDenied'],
    inject: { packages: PackageStore, access: PackageAccess },
    check:
      ({ packages, access }) =>
      async (caller: Caller, { packageId }: { readonly packageId: string }) => {
        const found = await packages.get(packageId)
        if (authenticated) assertAuthenticated(caller)
        await access.assertMay(action, caller, found)
        return { found }
      },
  })
