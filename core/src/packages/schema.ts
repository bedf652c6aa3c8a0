import Type, { type Static } from 'typebox'
import { auditEvent } from '../audit/index.js'
import {
  AddedSignature,
  DocumentSettings,
  EmailNotifications,
  itemIds,
  RegistratorObject,
  Send,
} from '../documents/index.js'
import { signatureInput } from '../signatures/index.js'

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

/** Settings of a package, all of them (specification, "Package settings object"). */
export const PackageSettings = Type.Object(packageSettings, { $id: 'PackageSettings' })
export type PackageSettings = Static<typeof PackageSettings>

/** Settings as a request gives them; what is omitted takes its default. */
export const PackageSettingsRequest = Type.Partial(Type.Object(packageSettings), { $id: 'PackageSettingsRequest' })
export type PackageSettingsRequest = Static<typeof PackageSettingsRequest>

/** Request of `POST /api/package`. */
export const RegisterPackageRequest = Type.Object(
  {
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    emailNotifications: Type.Optional(PackageEmailNotifications),
    settings: Type.Optional(PackageSettingsRequest),
    documentsSettings: Type.Optional(DocumentSettings),
    documents: Type.Array(
      Type.Object({ title: Type.Optional(Type.String()), description: Type.Optional(Type.String()) }),
    ),
    send: Type.Optional(Send),
  },
  { $id: 'RegisterPackageRequest' },
)
export type RegisterPackageRequest = Static<typeof RegisterPackageRequest>

/** Answer of `POST /api/package`. */
export const RegisteredPackage = Type.Object(
  { packageId: Type.String(), documentsIds: Type.Array(Type.String()) },
  { $id: 'RegisteredPackage' },
)
export type RegisteredPackage = Static<typeof RegisteredPackage>

const packageItem = {
  packageId: Type.String(),
  title: Type.String(),
  description: Type.String(),
  storedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
  documentsIds: Type.Array(Type.String()),
  registrator: Type.Optional(RegistratorObject),
}

/** Whom one signing of the whole package asked to notify. */
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
    emailNotifications: Type.Optional(PackageEmailNotifications),
    signatureEmailNotifications: Type.Array(SignedPackageNotifications),
    settings: PackageSettings,
    documentsSettings: DocumentSettings,
    ...itemIds,
  },
  { $id: 'Package' },
)
export type Package = Static<typeof Package>

/** Request of `POST /api/package/{packageId}`. */
export const SignPackageRequest = Type.Object(
  {
    signatures: Type.Array(Type.Object(signatureInput), { description: 'one for each document, in their order' }),
    signatureEmailNotifications: Type.Optional(PackageEmailNotifications),
  },
  { $id: 'SignPackageRequest' },
)
export type SignPackageRequest = Static<typeof SignPackageRequest>

/** Answer of `POST /api/package/{packageId}`. */
export const SignedPackage = Type.Object(
  { packageId: Type.String(), registrationResults: Type.Array(AddedSignature) },
  { $id: 'SignedPackage' },
)
export type SignedPackage = Static<typeof SignedPackage>

/** Answer of `POST /api/package/{packageId}/settings`. */
export const ChangedPackage = Type.Object({ packageId: Type.String() }, { $id: 'ChangedPackage' })
export type ChangedPackage = Static<typeof ChangedPackage>

/** Answer of `GET /api/package/{packageId}/settingsAudit`. */
export const PackageSettingsAudit = Type.Object(
  { packageId: Type.String(), eventsTotal: Type.Integer(), events: Type.Array(auditEvent(packageSettings)) },
  { $id: 'PackageSettingsAudit' },
)
export type PackageSettingsAudit = Static<typeof PackageSettingsAudit>

/** Answer of `GET /api/package`. */
export const PackageList = Type.Object(
  { packagesTotal: Type.Integer(), packages: Type.Array(Type.Object(packageItem, { $id: 'PackageListItem' })) },
  { $id: 'PackageList' },
)
export type PackageList = Static<typeof PackageList>
