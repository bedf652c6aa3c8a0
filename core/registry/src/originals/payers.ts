import { Database } from '../database/database.js'
import { optional, places, type Stored, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'

/** The facts of a document that decide whether its original is kept, and at whose cost. */
export interface DocumentToKeep {
  readonly id: string
  /** When it was registered, milliseconds. */
  readonly storedAt: number
  readonly settings: {
    readonly forceArchive?: boolean
    /** Milliseconds. */
    readonly tempStorageAfterRegistration?: number
  }
  readonly registrator: { readonly bin: string } | undefined
  /** Present while it is registered together with its original: neither it nor its first signer is in the database yet. */
  readonly beingRegistered?: { readonly signer: NewSigner | undefined }
}

/** The signer of a signature that is not stored yet. */
interface NewSigner {
  readonly userId: string
  readonly businessId?: string
}

const signers = table('registry_signatures', {
  documentId: text('document_id'),
  userId: text('user_id'),
  businessId: optional(text('business_id')),
})
/** Who signed a document, as a person or for an organization. */
export type Signer = Stored<typeof signers>

/** Finds whose quotas may be used for the original of a document. */
export class Payers {
  static readonly inject = { database: Database, subscriptions: Subscriptions }

  constructor(private readonly use: Injected<typeof Payers.inject>) {}

  /** IINs and BINs in the order in which they are tried; empty where nobody wants it archived. */
  async of(document: DocumentToKeep): Promise<readonly string[]> {
    if (document.beingRegistered === undefined) return (await this.ofAll([document])).get(document.id) ?? []
    const { signer } = document.beingRegistered
    const owner = signer?.businessId ?? signer?.userId
    const willing = owner !== undefined && (await this.isWilling(owner)) ? [owner] : []
    const forced = document.settings.forceArchive ? [document.registrator?.bin ?? owner] : []
    const owners = new Set([...willing, ...forced].filter((one) => one !== undefined))
    return (await this.ableOf([owners]))[0] ?? []
  }

  /**
   * By document identifier: signers with archiving on in the order of their signatures (people for what they signed as
   * persons, organizations for what their employees signed), then with `forceArchive` the organization whose system registered
   * it, else its first signer. Organizations without the feature `documentsArchive` are left out.
   */
  async ofAll(
    documents: readonly DocumentToKeep[],
    knownWilling?: readonly Signer[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const forced = documents.filter(({ settings }) => settings.forceArchive)
    if (forced.length === 0 && knownWilling?.length === 0) return new Map()
    const willing = knownWilling ?? (await this.willing(documents.map(({ id }) => id)))
    const first = await this.firstSigners(
      forced.filter(({ registrator }) => registrator === undefined).map(({ id }) => id),
    )
    const payers = new Map(documents.map(({ id }) => [id, new Set<string>()]))
    for (const signer of willing) payers.get(signer.documentId)?.add(ownerOf(signer))
    for (const { id, registrator } of forced) {
      const owner = registrator?.bin ?? first.get(id)
      if (owner !== undefined) payers.get(id)?.add(owner)
    }
    const able = await this.ableOf([...payers.values()])
    return new Map([...payers.keys()].map((id, at) => [id, able[at] ?? []]))
  }

  /** Those of each set who may use the archive. */
  private async ableOf(sets: readonly ReadonlySet<string>[]): Promise<string[][]> {
    const bins = [...new Set(sets.flatMap((owners) => [...owners]))].filter(isOrganization)
    const having = bins.length === 0 ? new Set() : await this.use.subscriptions.having('documentsArchive', bins)
    return sets.map((owners) => [...owners].filter((owner) => !isOrganization(owner) || having.has(owner)))
  }

  private async isWilling(owner: string): Promise<boolean> {
    const [table, id] = isOrganization(owner) ? ['registry_organizations', 'bin'] : ['registry_user_settings', 'iin']
    const enabled = { [id]: owner, data_archive_enabled: true }
    return (await this.use.database.query(table).where(enabled).first(id)) !== undefined
  }

  /** Signers of the documents who have archiving on, in the order of their signatures. */
  async willing(documentIds: readonly string[]): Promise<Signer[]> {
    if (documentIds.length === 0) return []
    const rows = await this.use.database.rows(
      `select s.document_id, s.user_id, s.business_id from registry_signatures s
        left join registry_user_settings u on u.iin = s.user_id
        left join registry_organizations o on o.bin = s.business_id
        where s.document_id in (${places(documentIds)})
          and ((s.business_id is null and u.data_archive_enabled = 1) or o.data_archive_enabled = 1)
        order by s.sign_id`,
      documentIds,
    )
    return rows.map((row) => signers.read(row))
  }

  private async firstSigners(documentIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (documentIds.length === 0) return new Map()
    const { query } = this.use.database
    const rows = await query(signers.name)
      .whereIn('sign_id', query(signers.name).whereIn('document_id', documentIds).groupBy('document_id').min('sign_id'))
      .select(signers.columns)
    return new Map(rows.map((row) => signers.read(row)).map((signer) => [signer.documentId, ownerOf(signer)]))
  }
}

const isOrganization = (owner: string): boolean => owner.startsWith('BIN')

const ownerOf = ({ userId, businessId }: Signer): string => businessId ?? userId
