import { areAccessRules, checkDocumentSettings, checkEmailNotifications, checkTitles } from '../documents/index.js'
import { checkCount, checkLength } from '../kernel/field-length.js'
import { knownFields } from '../kernel/known-fields.js'
import type { Limits } from '../kernel/limits.js'
import { packageErrors } from './errors.js'
import { type PackageSettings, PackageSettingsRequest, type RegisterPackageRequest } from './schema.js'

/** Refuses a package that has no documents or too many, and wrong fields of it or of its documents. */
export function checkPackage(request: RegisterPackageRequest, limits: Limits): void {
  const { title = '', description = '', documents, documentsSettings = {}, emailNotifications } = request
  if (documents.length === 0) throw packageErrors.error('packageWithoutDocuments')
  checkCount('documents', documents, limits.packageDocuments)
  checkLength('title', title, limits.title)
  checkLength('description', description, limits.description)
  for (const document of documents) checkTitles(document.title ?? '', document.description ?? '', limits)
  checkDocumentSettings(documentsSettings)
  if (emailNotifications) checkEmailNotifications(emailNotifications, limits)
}

/** All settings of a package: what is omitted takes its default. Refuses wrong access rules. */
export function packageSettings(request: PackageSettingsRequest): PackageSettings {
  const given = knownFields(PackageSettingsRequest, request)
  for (const setting of ['packageAccess', 'packageSettings'] as const) {
    if (!areAccessRules(given[setting] ?? [])) throw packageErrors.error('invalidPackageSettings', { setting })
  }
  return {
    private: given.private ?? false,
    packageAccess: given.packageAccess ?? [],
    packageSettings: given.packageSettings ?? [],
    signWholePackage: given.signWholePackage ?? false,
  }
}
