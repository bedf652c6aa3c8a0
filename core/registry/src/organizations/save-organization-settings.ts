import Type, { type Static } from 'typebox'
import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { fieldTooLarge } from '../kernel/field-length.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { checkArchiveContact, checkEmails } from '../settings/index.js'
import { checkIndices, followCertificates, readAccessControl } from './access-control.js'
import { readBranding } from './branding.js'
import { type ClientCertificates, listedFrom, readClientCertificates } from './client-certificates.js'
import { OrganizationLimits } from './limits.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import {
  AccessControlRequest,
  ClientCertificateRequest,
  OrganizationBranding,
  type OrganizationChoices,
  organizationContacts,
  organizationRights,
  Webhooks,
} from './schema.js'
import { SystemKeys } from './system-keys.js'
import { readWebhooks, WebhookAddresses, WebhookPorts, type WebhookRules } from './webhooks.js'
import { withRight } from './with-right.js'

/** Request of `POST /api/organizationSettings`; an omitted field keeps its value. */
export const SaveOrganizationSettingsRequest = Type.Partial(
  Type.Object({
    tlsCertificatesList: Type.Array(ClientCertificateRequest),
    ...organizationRights(() => AccessControlRequest),
    webhooks: Type.Partial(Type.Object(Webhooks.properties)),
    branding: Type.Object(OrganizationBranding.properties, { description: 'ours; an empty object removes it' }),
    ...organizationContacts,
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

/**
 * Changes the settings of the caller's organization; an omitted field keeps its value
 * (specification, `POST /api/organizationSettings`). Indices refer to the list as this request leaves it.
 */
export class SaveOrganizationSettings {
  static readonly operation = operation({
    id: 'saveOrganizationSettings',
    group: 'organizations',
    at: 'POST /organizationSettings',
    who: withRight('organizationSettings'),
    summary: 'Change the settings of your organization; omitted fields keep their values',
    description:
      'Rights are granted by IIN, by roles in certificates and to information systems; each change is kept in the audit.',
    request: SaveOrganizationSettingsRequest,
    json: { bytes: 4 * 1024 * 1024, values: 40_000 },
    answer: SavedOrganizationSettings,
    refuses: [
      'invalidAuthority',
      'invalidCertificateIndex',
      'invalidIin',
      'invalidLogoFormat',
      'invalidLogoResolution',
      'invalidLogoSize',
      'invalidNotificationEmail',
      'invalidUrl',
      'requestFieldTooLarge',
      'tlsCertificateDisabled',
      'tlsCertificateNotListed',
      'tlsCertificateNotUsable',
    ],
  })
  static readonly inject = {
    guard: OrganizationGuard,
    organizations: OrganizationStore,
    keys: SystemKeys,
    audit: AuditStore,
    database: Database,
    clock: Clock,
    limits: OrganizationLimits,
    textLimits: Limits,
    webhookAddresses: WebhookAddresses,
    webhookPorts: WebhookPorts,
  }

  constructor(private readonly use: Injected<typeof SaveOrganizationSettings.inject>) {}

  async execute(
    caller: Caller,
    { businessId, request }: Admitted<typeof SaveOrganizationSettings.operation>,
  ): Promise<SavedOrganizationSettings> {
    const given = this.read(request)

    return this.use.database.transaction(async () => {
      const modifiedAt = this.use.clock.now()
      const { choices: original } = await this.use.organizations.choices.lock(businessId, modifiedAt)
      await this.use.guard.assert(await this.asNow(caller), 'organizationSettings')
      const before = await this.use.keys.ofOrganization(businessId)
      const modified = changed(original, given, before)
      this.check(modified, given)
      await this.use.organizations.choices.save(businessId, modified, modifiedAt)
      if (given.certificates) await this.use.keys.replace(businessId, given.certificates, modified.tlsCertificatesList)
      const author = authorOf(caller)
      await this.use.audit.append({
        ownerKind: 'organization',
        ownerId: businessId,
        original,
        modified,
        ...author,
        modifiedAt,
      })
      return { businessId, modifiedAt }
    })
  }

  /** The caller by the locked settings: another save may have moved or removed their certificate. */
  private async asNow(caller: Caller): Promise<Caller> {
    return caller.kind === 'system' ? this.use.keys.identify(Buffer.from(caller.certificate, 'base64')) : caller
  }

  /** Reads and checks each field on its own. */
  private read(request: SaveOrganizationSettingsRequest): Given {
    const { tlsCertificatesList: list, webhooks, branding } = request
    const { dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail } = request
    checkEmails({ dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail })
    return {
      request,
      certificates: list && readClientCertificates(list, { ...this.use.textLimits, ...this.use.limits }),
      controls: organizationRights((right) => {
        const control = request[right]
        return control && readAccessControl(right, control, this.use.limits.accessControlEntries)
      }),
      webhooks: webhooks && readWebhooks(webhooks, this.webhookRules()),
      branding: branding && readBranding(branding, this.use.textLimits.title),
    }
  }

  private webhookRules(): WebhookRules {
    const { webhookAddresses: addresses, webhookPorts: ports, limits } = this.use
    return { addresses, ports, maxUrls: limits.webhookUrls }
  }

  /** Checks the fields against each other. */
  private check(modified: OrganizationChoices, { controls }: Given): void {
    checkArchiveContact(modified)
    organizationRights((right) => {
      if (controls[right]) checkIndices(right, controls[right], modified.tlsCertificatesList.length)
    })
    const { organizationSettingsBytes: maxBytes } = this.use.limits
    if (Buffer.byteLength(JSON.stringify(modified)) > maxBytes) throw fieldTooLarge('organizationSettings', maxBytes)
  }
}

interface Given {
  readonly request: SaveOrganizationSettingsRequest
  readonly certificates: ClientCertificates | undefined
  readonly controls: ReturnType<typeof organizationRights<ReturnType<typeof readAccessControl> | undefined>>
  readonly webhooks: OrganizationChoices['webhooks'] | undefined
  readonly branding: OrganizationBranding | undefined
}

const changed = (
  { branding: brandingBefore, ...before }: OrganizationChoices,
  given: Given,
  keysBefore: readonly string[],
): OrganizationChoices => ({
  tlsCertificatesList: given.certificates
    ? listedFrom(given.certificates, before.tlsCertificatesList, keysBefore)
    : before.tlsCertificatesList,
  ...organizationRights((right) => {
    const control = given.controls[right]
    if (control !== undefined) return control
    return followCertificates(before[right], keysBefore, given.certificates?.keys ?? keysBefore)
  }),
  webhooks: given.webhooks ?? before.webhooks,
  ...brandingFrom(given.branding ?? brandingBefore),
  dataArchiveEnabled: given.request.dataArchiveEnabled ?? before.dataArchiveEnabled,
  dataArchiveContactEmail: given.request.dataArchiveContactEmail ?? before.dataArchiveContactEmail,
  subscriptionContactEmail: given.request.subscriptionContactEmail ?? before.subscriptionContactEmail,
  routingContactEmail: given.request.routingContactEmail ?? before.routingContactEmail,
})

const brandingFrom = (branding: OrganizationBranding = {}): Pick<OrganizationChoices, 'branding'> =>
  Object.keys(branding).length === 0 ? {} : { branding }
