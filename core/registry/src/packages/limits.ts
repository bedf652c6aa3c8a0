import { limits } from '../kernel/limits.js'

/** Limits of packages; `createRegistry` takes any of them in its options. */
export interface PackageLimits {
  /** Documents of a package. */
  readonly packageDocuments: number
  /** Documents of a package that an anonymous caller registers. */
  readonly anonymousPackageDocuments: number
  /** Packages of a list that a search looks at; 0 for no limit. */
  readonly searchedPackages: number
  /** Bytes of `documentsSettings`, as JSON, of such a package. */
  readonly anonymousSettingsBytes: number
}
export const PackageLimits = limits<PackageLimits>('PackageLimits', {
  packageDocuments: 50,
  anonymousPackageDocuments: 10,
  searchedPackages: 2000,
  anonymousSettingsBytes: 16 * 1024,
})
