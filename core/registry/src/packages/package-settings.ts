import { areAccessRules } from '../documents/index.js'
import { unknownField } from '../kernel/known-fields.js'
import { packageErrors } from './errors.js'
import { type PackageSettings, PackageSettingsRequest } from './schema.js'

/** Refuses invalid access rules and unknown fields, since a typo must not open a package. */
export function checkPackageSettings(given: PackageSettingsRequest): void {
  const unknown = unknownField(PackageSettingsRequest, given)
  if (unknown !== undefined) {
    throw packageErrors.error('invalidPackageSettings', { setting: unknown, reason: 'unknown' })
  }
  for (const setting of ['packageAccess', 'packageSettings'] as const) {
    if (!areAccessRules(given[setting] ?? [])) throw packageErrors.error('invalidPackageSettings', { setting })
  }
}

/** Settings with defaults for omitted fields; refuses what `checkPackageSettings` does. */
export function packageSettings(given: PackageSettingsRequest): PackageSettings {
  checkPackageSettings(given)
  return {
    private: given.private ?? false,
    packageAccess: given.packageAccess ?? [],
    packageSettings: given.packageSettings ?? [],
    signWholePackage: given.signWholePackage ?? false,
  }
}
