import Type, { type Static } from 'typebox'
import { auditEvent } from '../audit/index.js'
import { OrganizationSettings } from '../organizations/index.js'
import { UserSettings } from '../settings/index.js'
import { Signature, signatureInput } from '../signatures/index.js'

const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })

/** Whom to notify (specification, "E-mail notification object"). */
export const EmailNotifications = Type.Object(
  {
    to: Type.Array(Type.String({ description: 'e-mail address' })),
    doNotAttachDocument: Type.Optional(Type.Boolean({ description: 'send without the attached document' })),
    language: Type.Optional(Type.String({ description: 'ru, kk, en or combinations such as kk/en' })),
  },
  { $id: 'EmailNotifications' },
)
export type EmailNotifications = Static<typeof EmailNotifications>

const SignerRequirement = Type.Object({
  iin: Type.Optional(Type.String()),
  bin: Type.Optional(Type.String()),
  authorities: Type.Optional(Type.Array(Type.String())),
  ca: Type.Optional(Type.String()),
})

/** Settings of a document (specification, "Document settings object"). */
export const DocumentSettings = Type.Object(
  {
    private: Type.Optional(Type.Boolean()),
    signaturesLimit: Type.Optional(Type.Integer({ minimum: 0 })),
    switchToPrivateAfterLimitReached: Type.Optional(Type.Boolean()),
    unique: Type.Optional(Type.Array(Type.Enum(['iin', 'bin']))),
    strictSignersRequirements: Type.Optional(Type.Boolean()),
    sequentialSignersRequirements: Type.Optional(Type.Boolean()),
    signersRequirements: Type.Optional(Type.Array(SignerRequirement)),
    publicDuringPreregistration: Type.Optional(Type.Boolean()),
    publicWhileLessThanSignatures: Type.Optional(Type.Integer({ minimum: 0 })),
    documentAccess: Type.Optional(
      Type.Array(Type.Object({ iin: Type.Optional(Type.String()), bin: Type.Optional(Type.String()) })),
    ),
    forceArchive: Type.Optional(Type.Boolean()),
    tempStorageAfterRegistration: Type.Optional(Type.Integer({ minimum: 0, description: 'milliseconds' })),
  },
  { $id: 'DocumentSettings' },
)
export type DocumentSettings = Static<typeof DocumentSettings>

/** Whom to send it to when its registration is complete. */
export const Send = Type.Object({
  to: Type.String({ description: 'IIN or BIN with prefix' }),
  comment: Type.Optional(Type.String()),
})
export type Send = Static<typeof Send>
const IntegrationRegisterAuto = Type.Object({ documentTypeCode: Type.String(), signers: Type.Array(Type.String()) })

/** Request of `POST /api`. */
export const RegisterDocumentRequest = Type.Object(
  {
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    signType: signatureInput.signType,
    signature: Type.Optional(signatureInput.signature),
    emailNotifications: Type.Optional(EmailNotifications),
    settings: Type.Optional(DocumentSettings),
    integrationRegisterAuto: Type.Optional(IntegrationRegisterAuto),
    send: Type.Optional(Send),
  },
  { $id: 'RegisterDocumentRequest' },
)
export type RegisterDocumentRequest = Static<typeof RegisterDocumentRequest>

/** Answer of `POST /api`. */
export const RegisteredDocument = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Optional(Type.Integer()),
    data: Type.Optional(Type.String({ description: 'base64 of the data that the CMS carried' })),
  },
  { $id: 'RegisteredDocument' },
)
export type RegisteredDocument = Static<typeof RegisteredDocument>

/** Settings that a first signature made. */
const createdProfiles = {
  automaticallyCreatedUserSettings: Type.Optional(UserSettings),
  automaticallyCreatedOrgSettings: Type.Optional(OrganizationSettings),
}

/** Answer of `POST /api/{id}/data`. */
export const FixedDigests = Type.Object(
  {
    documentId: Type.String(),
    signedDataSize: Type.Integer(),
    digests: Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' }),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    ...createdProfiles,
    outgoingId: Type.Optional(
      Type.String({ description: 'the item that was sent; for a package, in the answer for its last document' }),
    ),
  },
  { $id: 'FixedDigests' },
)
export type FixedDigests = Static<typeof FixedDigests>

const SignatureEmailNotifications = Type.Object(
  { signId: Type.Integer(), ...EmailNotifications.properties },
  { $id: 'SignatureEmailNotifications' },
)

/** The information system that registered an object. */
export const RegistratorObject = Type.Object(
  {
    businessId: Type.String({ description: 'BIN' }),
    certificate: Type.String({ description: 'base64 of the mutual-TLS certificate' }),
  },
  { $id: 'Registrator' },
)
export type RegistratorObject = Static<typeof RegistratorObject>

/** Items by which a document or a package was sent. */
export const itemIds = {
  incomingIds: Type.Optional(
    Type.Array(Type.String(), { description: 'present when it was sent; those that the caller received' }),
  ),
  outgoingIds: Type.Optional(
    Type.Array(Type.String(), { description: 'present when it was delivered; those that the caller sent' }),
  ),
}

/** Answer of `GET /api/{id}` (specification, "Document"). */
export const Document = Type.Object(
  {
    title: Type.String(),
    description: Type.String(),
    signedDataSize: Type.Integer({ description: 'bytes; 0 when unknown' }),
    emailNotifications: Type.Optional(EmailNotifications),
    signatureEmailNotifications: Type.Array(SignatureEmailNotifications),
    settings: DocumentSettings,
    signaturesTotal: Type.Integer(),
    signatures: Type.Array(Signature),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    canBeArchived: Type.Boolean(),
    registrator: Type.Optional(RegistratorObject),
    ...itemIds,
  },
  { $id: 'Document' },
)
export type Document = Static<typeof Document>

/** Answer of `POST /api/{id}/settings`. */
export const ChangedDocument = Type.Object({ documentId: Type.String() }, { $id: 'ChangedDocument' })
export type ChangedDocument = Static<typeof ChangedDocument>

/** Answer of `GET /api/{id}/settingsAudit`. */
export const DocumentSettingsAudit = Type.Object(
  {
    documentId: Type.String(),
    eventsTotal: Type.Integer(),
    events: Type.Array(auditEvent(DocumentSettings.properties)),
  },
  { $id: 'DocumentSettingsAudit' },
)
export type DocumentSettingsAudit = Static<typeof DocumentSettingsAudit>

/** One line of a list of documents (specification, "Document list item"). */
export const DocumentListItem = Type.Object(
  {
    documentId: Type.String(),
    storedAt: Milliseconds,
    title: Type.String(),
    description: Type.String(),
    dataArchived: Type.Boolean(),
    signedDataSize: Type.Integer({ description: 'bytes; 0 when unknown' }),
    registrator: Type.Optional(RegistratorObject),
    signaturesTotal: Type.Integer(),
    signatures: Type.Optional(Type.Array(Signature, { description: 'with includeSignatures=true' })),
  },
  { $id: 'DocumentListItem' },
)
export type DocumentListItem = Static<typeof DocumentListItem>

/** Answer of `GET /api`. */
export const DocumentList = Type.Object(
  {
    documentsTotal: Type.Integer({ description: 'exact; at most 1000 with searchQuery' }),
    documents: Type.Array(DocumentListItem),
  },
  { $id: 'DocumentList' },
)
export type DocumentList = Static<typeof DocumentList>

/** Request of `POST /api/{id}`. */
export const AddSignatureRequest = Type.Object(
  { ...signatureInput, signatureEmailNotifications: Type.Optional(EmailNotifications) },
  { $id: 'AddSignatureRequest' },
)
export type AddSignatureRequest = Static<typeof AddSignatureRequest>

/** Answer of `POST /api/{id}`. */
export const AddedSignature = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Integer(),
    data: Type.Optional(Type.String({ description: 'base64 of the data that the CMS carried' })),
    dataArchived: Type.Boolean(),
    canBeArchived: Type.Boolean(),
    ...createdProfiles,
  },
  { $id: 'AddedSignature' },
)
export type AddedSignature = Static<typeof AddedSignature>

/** Answer of `POST /api/{id}/verify`. */
export const VerifiedDocument = Type.Object(
  { documentId: Type.String(), dataArchived: Type.Boolean(), tempStorage: Type.Boolean() },
  { $id: 'VerifiedDocument' },
)
export type VerifiedDocument = Static<typeof VerifiedDocument>

/** Request of `POST /api/exported`. */
export const FindExportedSignatureRequest = Type.Object(signatureInput, { $id: 'FindExportedSignatureRequest' })
export type FindExportedSignatureRequest = Static<typeof FindExportedSignatureRequest>

/** Answer of `POST /api/exported`. */
export const FoundSignature = Type.Object(
  { documentId: Type.String(), signId: Type.Integer() },
  { $id: 'FoundSignature' },
)
export type FoundSignature = Static<typeof FoundSignature>

/** Answer of `GET /api/{id}/signature/{signId}`. */
export const ExportedSignature = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Integer(),
    signType: Type.Enum(['cms', 'xml']),
    signFormat: Type.Integer(),
    signature: Type.String(),
  },
  { $id: 'ExportedSignature' },
)
export type ExportedSignature = Static<typeof ExportedSignature>

/** Answer of `GET /api/{id}/buildFileName`. */
export const BuiltFileName = Type.Object(
  { documentId: Type.String(), fileName: Type.String() },
  { $id: 'BuiltFileName' },
)
export type BuiltFileName = Static<typeof BuiltFileName>

/** Answer of `GET /api/idFromFileName/`. */
export const DocumentIdFromName = Type.Object({ documentId: Type.String() }, { $id: 'DocumentIdFromName' })
export type DocumentIdFromName = Static<typeof DocumentIdFromName>

/** Answer of `GET /api/normalizeId/{specialId}`. */
export const NormalizedId = Type.Object({ id: Type.String(), type: Type.Literal('document') }, { $id: 'NormalizedId' })
export type NormalizedId = Static<typeof NormalizedId>
