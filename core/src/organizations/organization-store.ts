import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import type { AccessControl, OrganizationControls, OrganizationRight } from '../identity/index.js'
import { isEmailAddress } from '../notifications/index.js'
import { ArchiveAccounts } from '../settings/index.js'
import { organizationRights } from './rights.js'
import type { OrganizationChoices, OrganizationSettings } from './schema.js'

/** What an organization chose, and when. */
export interface StoredOrganization {
  readonly choices: OrganizationChoices
  /** Milliseconds; 0 when never saved. */
  readonly modifiedAt: number
}

const COLUMNS = [
  'tls_certificates',
  'controls',
  'webhooks',
  'data_archive_enabled',
  'data_archive_contact_email',
  'subscription_contact_email',
  'routing_contact_email',
  'modified_at',
] as const

interface Row {
  tls_certificates: string
  controls: string
  webhooks: string
  data_archive_enabled: number
  data_archive_contact_email: string
  subscription_contact_email: string
  routing_contact_email: string
  modified_at: number
}

const toNobody = () => ({ authorities: [], tlsCertificatesIndices: [], iins: [] })

const newChoices = (email: string | undefined): OrganizationChoices => ({
  tlsCertificatesList: [],
  ...organizationRights(toNobody),
  webhooks: { urls: [], routingUrls: [] },
  dataArchiveEnabled: false,
  dataArchiveContactEmail: '',
  subscriptionContactEmail: email !== undefined && isEmailAddress(email) ? email : '',
  routingContactEmail: '',
})

/** Keeps the settings of organizations. */
export class OrganizationStore implements OrganizationControls {
  static readonly inject = [Database, ArchiveAccounts] as const

  constructor(
    private readonly database: Database,
    private readonly accounts: ArchiveAccounts,
  ) {}

  /** The settings of a BIN as they are answered; those of a newcomer where there are none yet. */
  async get(bin: string): Promise<OrganizationSettings> {
    const { choices, modifiedAt } = (await this.#read(bin)) ?? { choices: newChoices(undefined), modifiedAt: 0 }
    // The rights on packages can be set and are not shown (specification, "Organization settings").
    const { packagesAccess, packagesList, packagesSettings, ...shown } = choices
    return { businessId: bin, ...shown, modifiedAt, ...(await this.accounts.get(bin)) }
  }

  async find(bin: string, right: OrganizationRight): Promise<AccessControl | undefined> {
    const row: Pick<Row, 'controls'> | undefined = await this.#row(bin).first('controls')
    return row === undefined ? undefined : JSON.parse(row.controls)[right]
  }

  /**
   * Makes settings at the first sight of a BIN, which grant nothing, and answers them only then.
   * Of two transactions that race, one makes them and the other waits for it.
   */
  async ensure(
    bin: string,
    { email }: { email?: string | undefined },
    at: number,
  ): Promise<OrganizationSettings | undefined> {
    if (await this.#row(bin).first('bin')) return undefined
    return (await this.#insert(bin, newChoices(email), at)) ? this.get(bin) : undefined
  }

  /** The settings of a BIN, made where there are none, which no other transaction can change until this one ends. */
  async lock(bin: string, at: number): Promise<StoredOrganization> {
    const known = await this.#read(bin, true)
    if (known !== undefined) return known
    await this.#insert(bin, newChoices(undefined), at)
    return (await this.#read(bin, true)) ?? this.lock(bin, at)
  }

  /** Saves settings that are locked. */
  async save(bin: string, choices: OrganizationChoices, at: number): Promise<void> {
    await this.#row(bin).update({ ...toRow(choices), modified_at: at })
  }

  async #insert(bin: string, choices: OrganizationChoices, at: number): Promise<boolean> {
    const row = { bin, ...toRow(choices), created_at: at, modified_at: 0 }
    try {
      await this.database.query('registry_organizations').insert(row)
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  async #read(bin: string, lock = false): Promise<StoredOrganization | undefined> {
    const query = this.#row(bin).first(...COLUMNS)
    const row: Row | undefined = await (lock ? query.forUpdate() : query)
    if (row === undefined) return undefined
    return {
      choices: {
        tlsCertificatesList: JSON.parse(row.tls_certificates),
        ...JSON.parse(row.controls),
        webhooks: JSON.parse(row.webhooks),
        dataArchiveEnabled: Boolean(row.data_archive_enabled),
        dataArchiveContactEmail: row.data_archive_contact_email,
        subscriptionContactEmail: row.subscription_contact_email,
        routingContactEmail: row.routing_contact_email,
      },
      modifiedAt: Number(row.modified_at),
    }
  }

  #row(bin: string) {
    return this.database.query('registry_organizations').where({ bin })
  }
}

const toRow = (choices: OrganizationChoices) => ({
  tls_certificates: JSON.stringify(choices.tlsCertificatesList),
  controls: JSON.stringify(organizationRights((right) => choices[right])),
  webhooks: JSON.stringify(choices.webhooks),
  data_archive_enabled: choices.dataArchiveEnabled,
  data_archive_contact_email: choices.dataArchiveContactEmail,
  subscription_contact_email: choices.subscriptionContactEmail,
  routing_contact_email: choices.routingContactEmail,
})
