import Type, { type Static } from 'typebox'
import { OrganizationSettings } from '../organizations/index.js'
import { UserSettings } from '../settings/index.js'
import { Signature } from '../signatures/index.js'

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
    unique: Type.Optional(
      Type.Array(Type.Enum(['iin', 'bin'], { description: 'bin where the host takes it (UNIQUE_BIN)' })),
    ),
    strictSignersRequirements: Type.Optional(Type.Boolean()),
    sequentialSignersRequirements: Type.Optional(Type.Boolean()),
    signersRequirements: Type.Optional(Type.Array(SignerRequirement)),
    signUntil: Type.Optional(
      Type.Integer({ description: 'milliseconds since the UNIX epoch; later signatures are refused; ours' }),
    ),
    publicDuringPreregistration: Type.Optional(Type.Boolean()),
    publicWhileLessThanSignatures: Type.Optional(Type.Integer({ minimum: 0 })),
    documentAccess: Type.Optional(
      Type.Array(Type.Object({ iin: Type.Optional(Type.String()), bin: Type.Optional(Type.String()) })),
    ),
    publicProof: Type.Optional(
      Type.Boolean({ description: 'anybody may read that it is registered, and signed by so many; ours' }),
    ),
    forceArchive: Type.Optional(Type.Boolean()),
    tempStorageAfterRegistration: Type.Optional(Type.Integer({ minimum: 0, description: 'milliseconds' })),
  },
  { $id: 'DocumentSettings' },
)
export type DocumentSettings = Static<typeof DocumentSettings>

/** The receiver to send it to when its registration is complete. */
export const Send = Type.Object({
  to: Type.String({ description: 'IIN or BIN with prefix' }),
  comment: Type.Optional(Type.String()),
  toSign: Type.Optional(Type.Boolean({ description: 'a signature is wanted, not only acceptance; ours' })),
  deadline: Type.Optional(
    Type.Integer({ description: 'milliseconds, after which it can no longer be accepted; ours' }),
  ),
})
export type Send = Static<typeof Send>

/** How it is forwarded to the vehicle registration authority; `GET /api/strings` lists the values of both fields. */
export const IntegrationRegisterAuto = Type.Object(
  {
    documentTypeCode: Type.String(),
    signers: Type.Array(Type.String(), { description: 'what the signers are, in the order of their signatures' }),
  },
  { $id: 'IntegrationRegisterAuto' },
)
export type IntegrationRegisterAuto = Static<typeof IntegrationRegisterAuto>

/** The document in an address. */
export const DocumentParams = Type.Object({ id: Type.String({ description: 'identifier of the document' }) })

/** A signature of a document in an address. */
export const SignatureParams = Type.Object({ ...DocumentParams.properties, signId: Type.Integer() })

/** Settings that a first signature created. */
export const createdProfiles = {
  automaticallyCreatedUserSettings: Type.Optional(UserSettings),
  automaticallyCreatedOrgSettings: Type.Optional(OrganizationSettings),
}

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
export const DocumentResource = Type.Object(
  {
    title: Type.String(),
    description: Type.String(),
    signedDataSize: Type.Integer({ description: 'bytes; 0 when unknown' }),
    emailNotifications: EmailNotifications,
    signatureEmailNotifications: Type.Array(SignatureEmailNotifications),
    settings: DocumentSettings,
    signaturesTotal: Type.Integer(),
    signatures: Type.Array(Signature),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    canBeArchived: Type.Boolean(),
    registrator: Type.Optional(RegistratorObject),
    replaces: Type.Optional(Type.String({ description: 'the version that it replaces, for who may view that; ours' })),
    replacedBy: Type.Optional(
      Type.String({ description: 'the version that replaces it, for who may view that; ours' }),
    ),
    ...itemIds,
  },
  { $id: 'DocumentResource' },
)
export type DocumentResource = Static<typeof DocumentResource>
