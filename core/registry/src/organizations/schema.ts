import Type, { type Static } from 'typebox'
import type { OrganizationRight } from '../identity/index.js'
import { archiveAccount } from '../settings/index.js'

const who = {
  authorities: Type.Array(Type.String(), { description: 'OIDs; any one suffices' }),
  tlsCertificatesIndices: Type.Array(Type.Integer(), { description: 'positions in tlsCertificatesList' }),
  iins: Type.Array(Type.String(), { description: 'IINs of employees' }),
}

/** Who in an organization has a right (specification, "Access control object"). */
export const AccessControl = Type.Object(who, { $id: 'AccessControl' })
export type AccessControl = Static<typeof AccessControl>

/** An access control object of a request; an omitted part grants nothing. */
export const AccessControlRequest = Type.Partial(Type.Object(who), { $id: 'AccessControlRequest' })
export type AccessControlRequest = Static<typeof AccessControlRequest>

const text = () => Type.String({ pattern: '\\S' })
const inRussianOrKazakh = () =>
  Type.Optional(Type.Object({ ru: Type.Optional(text()), kk: Type.Optional(text()) }, { minProperties: 1 }))

/** What cards and QR codes show for a client certificate (specification, "Client certificate item"). */
export const ClientCertificateSettings = Type.Object(
  {
    ddcHowToVerifyStrings: inRussianOrKazakh(),
    qrOrganisationName: Type.Optional(Type.Object({ ru: text(), kk: text(), en: text() })),
    qrLogo: Type.Optional(Type.String({ description: 'base64 of a PNG image of at most 102x102 pixels' })),
    ddcLogo: Type.Optional(Type.String({ description: 'base64 of a PNG image of exactly 200x100 pixels' })),
    ddcLogoString: inRussianOrKazakh(),
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
    byKey: Type.Boolean({ description: 'ours: true where any certificate of the same key acts as well as this one' }),
    settings: ClientCertificateSettings,
  },
  { $id: 'ClientCertificate' },
)
export type ClientCertificate = Static<typeof ClientCertificate>

/** A client certificate as answers show it. */
export const ListedCertificate = Type.Object(
  {
    ...ClientCertificate.properties,
    pending: Type.Optional(
      Type.Boolean({ description: 'ours: true until its holder has proved the key for this organization' }),
    ),
  },
  { $id: 'ListedClientCertificate' },
)

/** A client certificate item of a request. */
export const ClientCertificateRequest = Type.Object(
  {
    description: Type.Optional(Type.String()),
    body: Type.String({ description: 'PEM: one CERTIFICATE block' }),
    disabled: Type.Optional(Type.Boolean()),
    byKey: Type.Optional(
      Type.Boolean({
        description:
          'ours: any certificate of the same key acts as well as this one; omitted it stays as it is for the key, false for a new one',
      }),
    ),
    settings: Type.Optional(ClientCertificateSettings),
  },
  { $id: 'ClientCertificateRequest' },
)
export type ClientCertificateRequest = Static<typeof ClientCertificateRequest>

/** Webhook addresses of an organization. */
export const Webhooks = Type.Object(
  {
    urls: Type.Array(Type.String(), { description: 'standard notifications' }),
    routingUrls: Type.Array(Type.String(), { description: 'incoming and outgoing notifications' }),
  },
  { $id: 'Webhooks' },
)
export type Webhooks = Static<typeof Webhooks>

/** A value for each right that `GET /api/organizationSettings` shows, in the order of the specification. */
const shownRights = <T>(of: (right: OrganizationRight) => T) => ({
  documentsAccess: of('documentsAccess'),
  documentsList: of('documentsList'),
  documentsSettings: of('documentsSettings'),
  organizationSettings: of('organizationSettings'),
  documentsPackagesRoute: of('documentsPackagesRoute'),
  routedDocumentsPackagesView: of('routedDocumentsPackagesView'),
})

/** A value for each right that an organization grants. */
export const organizationRights = <T>(of: (right: OrganizationRight) => T) => ({
  ...shownRights(of),
  packagesAccess: of('packagesAccess'),
  packagesList: of('packagesList'),
  packagesSettings: of('packagesSettings'),
})

/** How an organization is shown on its cards, mails and pages (ours). */
export const OrganizationBranding = Type.Object(
  {
    logo: Type.Optional(Type.String({ description: 'base64 of a PNG image of at most 200x100 pixels' })),
    color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'such as #7a1f3d' })),
    name: Type.Optional(Type.Object({ ru: text(), kk: text(), en: text() })),
  },
  { $id: 'OrganizationBranding' },
)
export type OrganizationBranding = Static<typeof OrganizationBranding>

/** Archiving, and the contact addresses of an organization. */
export const organizationContacts = {
  dataArchiveEnabled: Type.Boolean({ description: 'needs dataArchiveContactEmail' }),
  dataArchiveContactEmail: Type.String({ description: 'may be empty' }),
  subscriptionContactEmail: Type.String({ description: 'may be empty' }),
  routingContactEmail: Type.String({ description: 'may be empty' }),
}
/** The settings that an organization can change; changes are audited. */
export const OrganizationChoices = Type.Object({
  tlsCertificatesList: Type.Array(ClientCertificate),
  ...organizationRights(() => AccessControl),
  webhooks: Webhooks,
  branding: Type.Optional(OrganizationBranding),
  ...organizationContacts,
})
export type OrganizationChoices = Static<typeof OrganizationChoices>

/** Answer of `GET /api/organizationSettings` (specification, "Organization settings"). */
export const OrganizationSettings = Type.Object(
  {
    businessId: Type.String({ description: 'BIN' }),
    tlsCertificatesList: Type.Array(ListedCertificate),
    ...shownRights(() => AccessControl),
    webhooks: Webhooks,
    modifiedAt: Type.Integer({ description: '0 when never saved' }),
    ...organizationContacts,
    branding: Type.Optional(Type.Object(OrganizationBranding.properties, { description: 'ours' })),
    ...archiveAccount,
  },
  { $id: 'OrganizationSettings' },
)
export type OrganizationSettings = Static<typeof OrganizationSettings>
