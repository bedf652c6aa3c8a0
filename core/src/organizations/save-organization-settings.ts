import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { fieldTooLarge } from '../kernel/field-length.js'
import { Limits } from '../kernel/limits.js'
import { checkArchiveContact, checkEmails } from '../settings/index.js'
import { checkIndices, followCertificates, readAccessControl } from './access-control.js'
import { type ClientCertificates, readClientCertificates } from './client-certificates.js'
import { IdentifySystem } from './identify-system.js'
import { OrganizationStore } from './organization-store.js'
import { OrganizationGuard } from './represented-organization.js'
import { organizationRights } from './rights.js'
import type { OrganizationChoices, SavedOrganizationSettings, SaveOrganizationSettingsRequest } from './schema.js'
import { TlsKeyStore } from './tls-key-store.js'
import { readWebhooks, WebhookAddresses } from './webhooks.js'

/**
 * Changes the settings of the caller's organization; an omitted field keeps its value
 * (specification, `POST /api/organizationSettings`). Indices refer to the list that the same request leaves.
 */
export class SaveOrganizationSettings {
  static readonly inject = [
    OrganizationGuard,
    IdentifySystem,
    OrganizationStore,
    TlsKeyStore,
    AuditStore,
    Database,
    Clock,
    Limits,
    WebhookAddresses,
  ] as const

  constructor(
    private readonly guard: OrganizationGuard,
    private readonly identify: IdentifySystem,
    private readonly organizations: OrganizationStore,
    private readonly keys: TlsKeyStore,
    private readonly audit: AuditStore,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
    private readonly webhookAddresses: WebhookAddresses,
  ) {}

  async execute(caller: Caller, request: SaveOrganizationSettingsRequest): Promise<SavedOrganizationSettings> {
    const businessId = await this.guard.assert(caller, 'organizationSettings')
    const given = this.#read(request)

    return this.database.transaction(async () => {
      const modifiedAt = this.clock.now()
      const { choices: original } = await this.organizations.lock(businessId, modifiedAt)
      await this.guard.assert(await this.#asNow(caller), 'organizationSettings')
      const before = await this.keys.keys(businessId)
      const modified = changed(original, given, before)
      this.#check(modified, given)
      await this.organizations.save(businessId, modified, modifiedAt)
      if (given.certificates) await this.keys.replace(businessId, given.certificates.keys, given.certificates.items)
      const author = authorOf(caller)
      await this.audit.append({
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

  /** The caller as the locked settings know them: another save may have moved their certificate, or taken it away. */
  async #asNow(caller: Caller): Promise<Caller> {
    return caller.kind === 'system' ? this.identify.execute(Buffer.from(caller.certificate, 'base64')) : caller
  }

  /** Reads and judges each field by itself. */
  #read(request: SaveOrganizationSettingsRequest): Given {
    const { tlsCertificatesList: list, webhooks } = request
    const { dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail } = request
    checkEmails({ dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail })
    return {
      request,
      certificates: list && readClientCertificates(list, this.limits),
      controls: organizationRights((right) => {
        const control = request[right]
        return control && readAccessControl(right, control, this.limits.accessControlEntries)
      }),
      webhooks: webhooks && readWebhooks(webhooks, this.webhookAddresses, this.limits.webhookUrls),
    }
  }

  /** Judges the fields together. */
  #check(modified: OrganizationChoices, { controls }: Given): void {
    checkArchiveContact(modified)
    organizationRights((right) => {
      if (controls[right]) checkIndices(right, controls[right], modified.tlsCertificatesList.length)
    })
    const { organizationSettingsBytes: most } = this.limits
    if (Buffer.byteLength(JSON.stringify(modified)) > most) throw fieldTooLarge('organizationSettings', most)
  }
}

interface Given {
  readonly request: SaveOrganizationSettingsRequest
  readonly certificates: ClientCertificates | undefined
  readonly controls: ReturnType<typeof organizationRights<ReturnType<typeof readAccessControl> | undefined>>
  readonly webhooks: OrganizationChoices['webhooks'] | undefined
}

const changed = (before: OrganizationChoices, given: Given, keysBefore: readonly string[]): OrganizationChoices => ({
  tlsCertificatesList: given.certificates?.items ?? before.tlsCertificatesList,
  ...organizationRights((right) => {
    const control = given.controls[right]
    if (control !== undefined) return control
    return followCertificates(before[right], keysBefore, given.certificates?.keys ?? keysBefore)
  }),
  webhooks: given.webhooks ?? before.webhooks,
  dataArchiveEnabled: given.request.dataArchiveEnabled ?? before.dataArchiveEnabled,
  dataArchiveContactEmail: given.request.dataArchiveContactEmail ?? before.dataArchiveContactEmail,
  subscriptionContactEmail: given.request.subscriptionContactEmail ?? before.subscriptionContactEmail,
  routingContactEmail: given.request.routingContactEmail ?? before.routingContactEmail,
})
