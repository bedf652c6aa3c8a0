import { Database } from '../database/database.js'
import { flag, json, optional, places, table, text } from '../database/table.js'
import type { AccessControl, OrganizationControls, OrganizationRight } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { isEmailAddress } from '../notifications/index.js'
import { ArchiveAccounts, ChoicesStore } from '../settings/index.js'
import {
  type ClientCertificate,
  type OrganizationBranding,
  type OrganizationChoices,
  type OrganizationSettings,
  organizationRights,
  type Webhooks,
} from './schema.js'

/** One that was listed before there was `byKey` is accepted by its key. */
type KeptCertificate = Omit<ClientCertificate, 'byKey'> & Partial<Pick<ClientCertificate, 'byKey'>>

const choicesTable = table('registry_organizations', {
  tlsCertificatesList: json<KeptCertificate[]>('tls_certificates'),
  controls: json<Pick<OrganizationChoices, OrganizationRight>>('controls'),
  webhooks: json<Webhooks>('webhooks'),
  dataArchiveEnabled: flag('data_archive_enabled'),
  dataArchiveContactEmail: text('data_archive_contact_email'),
  subscriptionContactEmail: text('subscription_contact_email'),
  routingContactEmail: text('routing_contact_email'),
  branding: optional(json<OrganizationBranding>('branding')),
})

/** The rights of a newcomer. */
const NOTHING_GRANTED = organizationRights(() => ({ authorities: [], tlsCertificatesIndices: [], iins: [] }))

/** Keeps the settings of organizations. */
export class OrganizationStore implements OrganizationControls {
  static readonly inject = { database: Database, accounts: ArchiveAccounts }
  readonly choices: ChoicesStore<OrganizationChoices>

  constructor(private readonly use: Injected<typeof OrganizationStore.inject>) {
    this.choices = new ChoicesStore(use.database, {
      name: choicesTable.name,
      owner: 'bin',
      columns: choicesTable.columns,
      row: ({ tlsCertificatesList, webhooks, branding, ...choices }) => {
        const { dataArchiveEnabled, dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail } = choices
        const contacts = { dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail }
        const controls = organizationRights((right) => choices[right])
        return choicesTable.row({ tlsCertificatesList, controls, webhooks, branding, dataArchiveEnabled, ...contacts })
      },
      read: (row) => {
        const { controls, tlsCertificatesList: kept, branding, ...others } = choicesTable.read(row)
        const tlsCertificatesList = kept.map((item) => ({ ...item, byKey: item.byKey ?? true }))
        return { ...others, ...controls, tlsCertificatesList, ...(branding && { branding }) }
      },
      newcomer: (email) => ({
        tlsCertificatesList: [],
        ...NOTHING_GRANTED,
        webhooks: { urls: [], routingUrls: [] },
        dataArchiveEnabled: false,
        dataArchiveContactEmail: '',
        subscriptionContactEmail: email !== undefined && isEmailAddress(email) ? email : '',
        routingContactEmail: '',
      }),
    })
  }

  /** The settings of a BIN as answers show them; defaults where none are stored. */
  async get(bin: string): Promise<OrganizationSettings> {
    const { choices, modifiedAt } = await this.choices.get(bin)
    // The rights on packages can be set but are not shown (specification, "Organization settings").
    const { packagesAccess, packagesList, packagesSettings, ...shown } = choices
    return { businessId: bin, ...shown, modifiedAt, ...(await this.use.accounts.get(bin)) }
  }

  async find(bin: string, right: OrganizationRight): Promise<AccessControl | undefined> {
    const row = await this.use.database
      .query(choicesTable.name)
      .where({ bin })
      .first(...choicesTable.only('controls'))
    return row && choicesTable.read(row).controls[right]
  }

  /** How an organization wants to be shown; `undefined` where it has not said. */
  async brandingOf(bin: string): Promise<OrganizationBranding | undefined> {
    const [row] = await this.use.database.rows(`select branding from ${choicesTable.name} where bin = ?`, [bin])
    return row && choicesTable.read(row).branding
  }

  /** Webhook addresses by BIN; organizations without settings are left out. */
  async webhooksOf(bins: readonly string[]): Promise<ReadonlyMap<string, Webhooks>> {
    const rows = await this.use.database.rows(
      `select ${['bin', ...choicesTable.only('webhooks')].join(', ')} from ${choicesTable.name} where bin in (${places(bins)})`,
      bins,
    )
    return new Map(rows.map((row) => [String(row.bin), choicesTable.read(row).webhooks]))
  }

  /** Creates settings, which grant nothing, when a BIN is first seen; answers them only then. */
  async ensure(
    bin: string,
    { email }: { email?: string | undefined },
    at: number,
  ): Promise<OrganizationSettings | undefined> {
    return (await this.choices.ensure(bin, email, at)) ? this.get(bin) : undefined
  }
}
