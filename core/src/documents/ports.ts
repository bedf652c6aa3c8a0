import type { Caller } from '../identity/index.js'
import { token } from '../kernel/token.js'

/** What documents ask about the packages that they are in; the packages area provides it. */
export interface PackageRules {
  /** True when the documents of the package are signed all together or not at all. */
  signedAsWhole(packageId: string): Promise<boolean>
  /** True when the caller registered the package, or may speak for who did; anyone may for an unknown registrator. */
  registeredBy(packageId: string, caller: Caller): Promise<boolean>
}
export const PackageRules = token<PackageRules>('PackageRules')
