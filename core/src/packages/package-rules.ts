import type { PackageRules } from '../documents/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { isRegisteredBy } from './package-access.js'
import { PackageStore } from './package-store.js'

/** Tells documents what their packages say. */
export class StoredPackageRules implements PackageRules {
  static readonly inject = [PackageStore] as const

  constructor(private readonly packages: PackageStore) {}

  async signedAsWhole(packageId: string): Promise<boolean> {
    return (await this.packages.get(packageId)).settings.signWholePackage
  }

  async registeredBy(packageId: string, caller: Caller): Promise<boolean> {
    const { registrator, registeredBy } = await this.packages.get(packageId)
    if (registrator !== undefined) return organizationOf(caller) === registrator.bin
    // Who registered without a name is known by knowing the identifiers that only they were answered.
    return registeredBy === undefined || isRegisteredBy({ registeredBy }, caller)
  }
}
