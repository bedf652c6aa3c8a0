import Type, { type Static, type TSchema } from 'typebox'
import { auditEvent } from '../audit/index.js'
import { archiveAccount } from '../settings/index.js'

const who = {
  authorities: Type.Array(Type.String(), { description: 'OIDs; any one suffices' }),
  tlsCertificatesIndices: Type.Array(Type.Integer(), { description: 'positions in tlsCertificatesList' }),
  iins: Type.Array(Type.String(), { description: 'IINs of employees' }),
}

/** Who of an organization has a right (specification, "Access control object"). */
export const AccessControl = Type.Object(who, { $id: 'AccessControl' })
export type AccessControl = Static<typeof AccessControl>

/** An access control object of a request; a part that is left out grants to nobody. */
export const AccessControlRequest = Type.Partial(Type.Object(who), { $id: 'AccessControlRequest' })
export type AccessControlRequest = Static<typeof AccessControlRequest>

const text = () => Type.String({ pattern: '\\S' })
const inRussianAndKazakh = () => Type.Optional(Type.Object({ ru: text(), kk: text() }))

/** What a client certificate makes cards and QR codes say (specification, "Client certificate item"). */
export const ClientCertificateSettings = Type.Object(
  {
    ddcHowToVerifyStrings: inRussianAndKazakh(),
    qrOrganisationName: Type.Optional(Type.Object({ ru: text(), kk: text(), en: text() })),
    qrLogo: Type.Optional(Type.String({ description: 'base64 of a PNG image of at most 102x102 pixels' })),
    ddcLogo: Type.Optional(Type.String({ description: 'base64 of a PNG image of exactly 200x100 pixels' })),
    ddcLogoString: inRussianAndKazakh(),
    ddcLogoDisable: Type.Optional(Type.Boolean()),
  },
  { $id: 'ClientCertificateSettings' },
)
export type ClientCertificateSettings = Static<typeof ClientCertificateSettings>

/** A client certificate of an information system (specification, "Client certificate item"). */
export const ClientCertificate = Type.Object(
  {
    description: Type.String(),
    body: Type.String({ description: 'PEM' }),
    disabled: Type.Boolean(),
    settings: ClientCertificateSettings,
  },
  { $id: 'ClientCertificate' },
)
export type ClientCertificate = Static<typeof ClientCertificate>

/** A client certificate item of a request. */
export const ClientCertificateRequest = Type.Object(
  {
    description: Type.Optional(Type.String()),
    body: Type.String({ description: 'PEM: one CERTIFICATE block' }),
    disabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(ClientCertificateSettings),
  },
  { $id: 'ClientCertificateRequest' },
)
export type ClientCertificateRequest = Static<typeof ClientCertificateRequest>

const addresses = {
  urls: Type.Array(Type.String(), { description: 'standard notifications' }),
  routingUrls: Type.Array(Type.String(), { description: 'incoming and outgoing notifications' }),
}

/** Where an organization is notified. */
export const Webhooks = Type.Object(addresses, { $id: 'Webhooks' })
export type Webhooks = Static<typeof Webhooks>

/** The rights in the answer of `GET /api/organizationSettings`. */
const shownControls = <S extends TSchema>(control: S) => ({
  documentsAccess: control,
  documentsList: control,
  documentsSettings: control,
  organizationSettings: control,
  documentsPackagesRoute: control,
  routedDocumentsPackagesView: control,
})
const controls = <S extends TSchema>(control: S) => ({
  ...shownControls(control),
  packagesAccess: control,
  packagesList: control,
  packagesSettings: control,
})

const contacts = {
  dataArchiveEnabled: Type.Boolean({ description: 'needs dataArchiveContactEmail' }),
  dataArchiveContactEmail: Type.String({ description: 'may be empty' }),
  subscriptionContactEmail: Type.String({ description: 'may be empty' }),
  routingContactEmail: Type.String({ description: 'may be empty' }),
}
const choices = {
  tlsCertificatesList: Type.Array(ClientCertificate),
  ...controls(AccessControl),
  webhooks: Webhooks,
  ...contacts,
}

/** What an organization chooses; each change of it is audited. */
export const OrganizationChoices = Type.Object(choices)
export type OrganizationChoices = Static<typeof OrganizationChoices>

/** Answer of `GET /api/organizationSettings` (specification, "Organization settings"). */
export const OrganizationSettings = Type.Object(
  {
    businessId: Type.String({ description: 'BIN' }),
    tlsCertificatesList: Type.Array(ClientCertificate),
    ...shownControls(AccessControl),
    webhooks: Webhooks,
    modifiedAt: Type.Integer({ description: '0 when never saved' }),
    ...contacts,
    ...archiveAccount,
  },
  { $id: 'OrganizationSettings' },
)
export type OrganizationSettings = Static<typeof OrganizationSettings>

/** Request of `POST /api/organizationSettings`; an omitted field keeps its value. */
export const SaveOrganizationSettingsRequest = Type.Partial(
  Type.Object({
    tlsCertificatesList: Type.Array(ClientCertificateRequest),
    ...controls(AccessControlRequest),
    webhooks: Type.Partial(Type.Object(addresses)),
    ...contacts,
  }),
  { $id: 'SaveOrganizationSettingsRequest' },
)
export type SaveOrganizationSettingsRequest = Static<typeof SaveOrganizationSettingsRequest>

/** Answer of `POST /api/organizationSettings`. */
export const SavedOrganizationSettings = Type.Object(
  { businessId: Type.String(), modifiedAt: Type.Integer() },
  { $id: 'SavedOrganizationSettings' },
)
export type SavedOrganizationSettings = Static<typeof SavedOrganizationSettings>

/** Answer of `GET /api/organizationSettingsAudit`. */
export const OrganizationSettingsAudit = Type.Object(
  { businessId: Type.String(), eventsTotal: Type.Integer(), events: Type.Array(auditEvent(choices)) },
  { $id: 'OrganizationSettingsAudit' },
)
export type OrganizationSettingsAudit = Static<typeof OrganizationSettingsAudit>

/** Answer of `GET /api/organizationPermissions`: what the caller may do in the name of the organization. */
export const OrganizationPermissions = Type.Object(
  {
    documentsAccess: Type.Boolean(),
    documentsList: Type.Boolean(),
    documentsSettings: Type.Boolean(),
    organizationSettings: Type.Boolean(),
  },
  { $id: 'OrganizationPermissions' },
)
export type OrganizationPermissions = Static<typeof OrganizationPermissions>

/** Answer of `GET /api/organizationSubscription` (specification, "Subscription"). */
export const OrganizationSubscription = Type.Object(
  {
    name: Type.String(),
    expires: Type.Integer({ description: '0 without expiry' }),
    contactEmail: Type.Optional(Type.String()),
    features: Type.Array(Type.Object({ name: Type.String(), enabled: Type.Boolean() })),
  },
  { $id: 'OrganizationSubscription' },
)
export type OrganizationSubscription = Static<typeof OrganizationSubscription>
