import { createHash, timingSafeEqual } from 'node:crypto'
import { type PackageRules, RoutedItems } from '../documents/index.js'
import { type AccessFacts, type Caller, ObjectAccess, type PackageAction, packageAccess } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { PackageStore, type StoredPackage } from './package-store.js'

/** Checks access to packages by the access table. */
export class PackageAccess {
  static readonly inject = { access: ObjectAccess, routed: RoutedItems }

  constructor(private readonly use: Injected<typeof PackageAccess.inject>) {}

  /** Throws `authenticationRequired` or `accessDenied`. */
  async assertMay(action: PackageAction, caller: Caller, stored: StoredPackage): Promise<void> {
    await this.use.access.assertMay(packageAccess[action], caller, this.facts(stored))
  }

  async may(action: PackageAction, caller: Caller, stored: StoredPackage): Promise<boolean> {
    return this.use.access.may(packageAccess[action], caller, this.facts(stored))
  }

  /** Whether the caller is told who else sent and received it; of a public one not by receiving it, since anybody may send it. */
  async isParty(caller: Caller, stored: StoredPackage): Promise<boolean> {
    if (stored.settings.private) return this.may('view', caller, stored)
    const facts = this.facts({ ...stored, settings: { ...stored.settings, private: true } })
    return this.use.access.may(packageAccess.view, caller, { ...facts, receivedBy: async () => false })
  }

  private facts({ settings, ...stored }: StoredPackage): AccessFacts {
    return {
      isPrivate: settings.private,
      openForNow: () => false,
      accessRules: settings.packageAccess,
      settingsRules: settings.packageSettings,
      registrator: stored.registrator?.bin,
      registeredBy: async (caller) => isRegisteredBy(stored, caller),
      receivedBy: (party) => this.use.routed.wasDelivered(party, stored.id),
      signedBy: async () => false,
      signedByOrganization: async () => false,
    }
  }
}

/** Answers the questions that documents have about their packages. */
export class StoredPackageRules implements PackageRules {
  static readonly inject = { packages: PackageStore }

  constructor(private readonly use: Injected<typeof StoredPackageRules.inject>) {}

  async signedAsWhole(packageId: string): Promise<boolean> {
    return (await this.use.packages.get(packageId)).settings.signWholePackage
  }

  async registeredBy(packageId: string, caller: Caller): Promise<boolean> {
    return isRegisteredBy(await this.use.packages.get(packageId), caller)
  }

  async knowsSecret(packageId: string, dataSecret: string | undefined): Promise<boolean> {
    const { registeredBy, registrator, dataSecretDigest } = await this.use.packages.get(packageId)
    if (registeredBy !== undefined || registrator !== undefined) return false
    // A package from before there were secrets: knowing its identifiers is enough.
    if (dataSecretDigest === undefined) return dataSecret === undefined
    return dataSecret !== undefined && timingSafeEqual(digestOfSecret(dataSecret), dataSecretDigest)
  }
}

/** The stored digest of an anonymous package's secret. */
export const digestOfSecret = (dataSecret: string): Uint8Array => createHash('sha256').update(dataSecret).digest()

/** True for the person or the employee who registered the package. */
function isRegisteredBy({ registeredBy }: Pick<StoredPackage, 'registeredBy'>, caller: Caller): boolean {
  if (registeredBy === undefined) return false
  if (caller.kind === 'person') return caller.iin === registeredBy.iin && registeredBy.bin === undefined
  return caller.kind === 'employee' && caller.iin === registeredBy.iin && caller.bin === registeredBy.bin
}
