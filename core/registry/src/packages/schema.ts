import Type, { type Static } from 'typebox'
import { DocumentSettings, EmailNotifications, itemIds, RegistratorObject } from '../documents/index.js'

export const PackageParams = Type.Object({ packageId: Type.String({ description: 'identifier of the package' }) })

const { to, language } = EmailNotifications.properties

/** Whom to notify about a package (specification, "E-mail notification object", package form). */
export const PackageEmailNotifications = Type.Object(
  {
    to,
    doNotAttachDocuments: Type.Optional(Type.Boolean({ description: 'send without the attached documents' })),
    language,
  },
  { $id: 'PackageEmailNotifications' },
)
export type PackageEmailNotifications = Static<typeof PackageEmailNotifications>

const AccessRules = Type.Array(
  Type.Object({ iin: Type.Optional(Type.String()), bin: Type.Optional(Type.String()) }, { description: 'access rule' }),
)

const packageSettings = {
  private: Type.Boolean({ default: false, description: 'access is restricted' }),
  packageAccess: Type.Array(AccessRules.items, { description: 'who else may see the package; not its documents' }),
  packageSettings: Type.Array(AccessRules.items, { description: 'who else may change these settings' }),
  signWholePackage: Type.Boolean({ default: false, description: 'all documents are signed together or none' }),
}

/** Complete settings of a package (specification, "Package settings object"). */
export const PackageSettings = Type.Object(packageSettings, { $id: 'PackageSettings' })
export type PackageSettings = Static<typeof PackageSettings>

/** Settings in a request; omitted fields take their defaults. */
export const PackageSettingsRequest = Type.Partial(Type.Object(packageSettings), { $id: 'PackageSettingsRequest' })
export type PackageSettingsRequest = Static<typeof PackageSettingsRequest>

const packageItem = {
  packageId: Type.String(),
  title: Type.String(),
  description: Type.String(),
  storedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
  documentsIds: Type.Array(Type.String()),
  registrator: Type.Optional(RegistratorObject),
}

/** One line of a list of packages (specification, "Package list item"). */
export const PackageListItem = Type.Object(packageItem, { $id: 'PackageListItem' })
export type PackageListItem = Static<typeof PackageListItem>

/** The addresses that one signing of the entire package asked to notify. */
export const SignedPackageNotifications = Type.Object(
  {
    signIds: Type.Array(Type.Integer()),
    to,
    doNotAttachDocuments: Type.Boolean(),
    language,
  },
  { $id: 'SignedPackageNotifications' },
)
export type SignedPackageNotifications = Static<typeof SignedPackageNotifications>

/** Answer of `GET /api/package/{packageId}` (specification, "Package"). */
export const Package = Type.Object(
  {
    ...packageItem,
    emailNotifications: PackageEmailNotifications,
    signatureEmailNotifications: Type.Array(SignedPackageNotifications),
    settings: PackageSettings,
    documentsSettings: DocumentSettings,
    dataArchived: Type.Boolean({ description: 'the original of every document is archived' }),
    dataStored: Type.Boolean({ description: 'the original of every document is archived or in temporary storage' }),
    ...itemIds,
  },
  { $id: 'Package' },
)
export type Package = Static<typeof Package>
