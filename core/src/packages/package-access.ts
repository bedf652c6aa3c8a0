import { RoutedItems } from '../documents/index.js'
import { type AccessFacts, type Caller, ObjectAccess, type PackageAction, packageAccess } from '../identity/index.js'
import type { StoredPackage } from './package-store.js'

/** Decides who may do what with a package, by the access table. */
export class PackageAccess {
  static readonly inject = [ObjectAccess, RoutedItems] as const

  constructor(
    private readonly access: ObjectAccess,
    private readonly routed: RoutedItems,
  ) {}

  /** Throws `authenticationRequired` or `accessDenied`. */
  async assertMay(action: PackageAction, caller: Caller, stored: StoredPackage): Promise<void> {
    await this.access.assertMay(packageAccess[action], caller, this.#facts(stored))
  }

  async may(action: PackageAction, caller: Caller, stored: StoredPackage): Promise<boolean> {
    return this.access.may(packageAccess[action], caller, this.#facts(stored))
  }

  #facts({ settings, ...stored }: StoredPackage): AccessFacts {
    return {
      isPrivate: settings.private,
      openForNow: false,
      accessRules: settings.packageAccess,
      settingsRules: settings.packageSettings,
      registrator: stored.registrator?.bin,
      registeredBy: (caller) => isRegisteredBy(stored, caller),
      receivedBy: (party) => this.routed.wasDelivered(party, stored.id),
      signedBy: async () => false,
      signedByOrganization: async () => false,
    }
  }
}

/** True for the person or the employee who registered the package. */
export function isRegisteredBy({ registeredBy }: Pick<StoredPackage, 'registeredBy'>, caller: Caller): boolean {
  if (registeredBy === undefined) return false
  if (caller.kind === 'person') return caller.iin === registeredBy.iin && registeredBy.bin === undefined
  return caller.kind === 'employee' && caller.iin === registeredBy.iin && caller.bin === registeredBy.bin
}
