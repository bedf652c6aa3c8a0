import { Database } from '../database/database.js'
import { bytes, integer, places, type Stored, table, text } from '../database/table.js'
import type { Subject } from '../events/index.js'
import type { AccessRule } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { Digests } from '../originals/index.js'
import type { DocumentSettings } from './schema.js'

/** What opens a document to everybody, permanently or for a time. */
interface Openness {
  readonly settings: {
    readonly private?: boolean | undefined
    readonly publicDuringPreregistration?: boolean | undefined
    readonly publicWhileLessThanSignatures?: number | undefined
  }
  readonly preregistered: boolean
  readonly signaturesTotal: number
}

/** Whether settings open a document to everybody until enough have signed. */
export function isOpenForNow({
  settings: { publicDuringPreregistration = false, publicWhileLessThanSignatures = 0 },
  preregistered,
  signaturesTotal,
}: Openness): boolean {
  return (
    (publicDuringPreregistration && preregistered && signaturesTotal === 0) ||
    signaturesTotal < publicWhileLessThanSignatures
  )
}

/** Whether everybody may view a document now; stored with its hashes. */
export const isOpenToAll = (document: Openness): boolean =>
  !(document.settings.private ?? false) || isOpenForNow(document)

const party = (iin: string, bin: string | undefined): string => (bin === undefined ? iin : `${iin}/${bin}`)

/** Key of a person, or an employee, whom a rule names. */
export const openedToNamed = (iin: string, bin?: string): string => `named ${party(iin, bin)}`
/** Key of an organization that a rule names with all its employees. */
export const openedToOrganization = (bin: string): string => `named ${bin}`
/** Key of a person or an organization that received the document or its package. */
export const openedToReceiver = (receiver: string): string => `received ${receiver}`
/** Key of the registrator of its package, as a person or as an employee. */
export const openedToPackageRegistrator = (iin: string, bin?: string): string => `registered ${party(iin, bin)}`

/** Keys of all whom access rules name. A rule for one employee may open to colleagues too: their organization decides. */
function openedToRules(rules: readonly AccessRule[] = []): Set<string> {
  const openedTo = new Set<string>()
  for (const { iin, bin } of rules) {
    if (iin !== undefined) openedTo.add(openedToNamed(iin, bin))
    if (bin !== undefined) openedTo.add(openedToOrganization(bin))
  }
  return openedTo
}

const ofHash = {
  value: bytes('value'),
  /** When the document was registered. */
  storedAt: integer('stored_at'),
  documentId: text('document_id'),
}
const hashes = table('registry_document_digests', ofHash)
type Hash = Stored<typeof hashes>
/** The keys to which a rule, a package or a delivery opens a document with a hash. */
const openings = table('registry_digest_openings', { ...ofHash, openedTo: text('opened_to') })
/** What the index needs to know of a document. */
interface Opened {
  readonly id: string
  readonly storedAt: number
  readonly digestsFixedAt: number | undefined
  readonly packageId: string | undefined
  readonly settings: DocumentSettings
}

/** SQLite takes at most 500 in one insert. */
const ROWS_AT_ONCE = 250

/**
 * Indexes who may view which private documents with a hash, so that a search by hash reads only documents that its caller may
 * view, however many others have the same hash. A document that is opened to nobody has no rows.
 */
export class DigestOpenings {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof DigestOpenings.inject>) {}

  /** Updates the index for new hashes of a locked document. */
  async addDigests(document: Opened, added: Digests): Promise<void> {
    const openedTo = document.digestsFixedAt === undefined ? await this.first(document) : await this.kept(document.id)
    const { id: documentId, storedAt } = document
    await this.add(
      [...added.values()].map((value) => ({ value, storedAt, documentId })),
      openedTo,
    )
  }

  /** Updates the index for changed access rules of a locked document. */
  async changeRules(document: Opened, rules: readonly AccessRule[] = []): Promise<void> {
    const before = openedToRules(document.settings.documentAccess)
    const after = openedToRules(rules)
    const removed = [...before].filter((one) => !after.has(one))
    for (let from = 0; from < removed.length; from += ROWS_AT_ONCE) {
      const query = this.use.database.query(openings.name).where(openings.row({ documentId: document.id }))
      await query.whereIn('opened_to', removed.slice(from, from + ROWS_AT_ONCE)).delete()
    }
    const added = [...after].filter((one) => !before.has(one))
    if (added.length > 0) await this.add(await this.digests([document.id]), added)
  }

  /** Opens what was delivered to its receiver. Locks it, so that of a delivery and a new hash one sees the other. */
  async deliver(subject: Subject, receiver: string): Promise<void> {
    const ids = subject.documentId === undefined ? await this.documentsOf(subject.packageId) : [subject.documentId]
    await this.use.database.query('registry_documents').whereIn('id', ids).increment('turns')
    await this.add(await this.digests(ids), [openedToReceiver(receiver)])
  }

  /**
   * Closes to a receiver what a recalled item opened. `stillOpen` tells which of these documents and packages other items open.
   * Locks it as `deliver` does. What stayed in the index would crowd out what the receiver may view.
   */
  async takeBack(
    subject: Subject,
    receiver: string,
    stillOpen: (subjectIds: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const { database } = this.use
    const ids = subject.documentId === undefined ? await this.documentsOf(subject.packageId) : [subject.documentId]
    await database.query('registry_documents').whereIn('id', ids).increment('turns')
    const documents = await database.query('registry_documents').whereIn('id', ids).select('id', 'package_id')
    const packages = new Map(documents.map((row) => [String(row.id), String(row.package_id ?? '')]))
    const open = await stillOpen([...ids, ...new Set([...packages.values()].filter(Boolean))])
    const closed = ids.filter((id) => !open.has(id) && !open.has(packages.get(id) ?? ''))
    const query = database.query(openings.name).where(openings.row({ openedTo: openedToReceiver(receiver) }))
    await query.whereIn('document_id', closed).delete()
  }

  /** Deletes documents with their hashes. */
  async forget(documentIds: readonly string[]): Promise<void> {
    await this.use.database.query(openings.name).whereIn('document_id', documentIds).delete()
  }

  private async add(of: readonly Hash[], openedTo: Iterable<string>): Promise<void> {
    const rows = [...openedTo].flatMap((to) => of.map((hash) => openings.row({ ...hash, openedTo: to })))
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await this.use.database.insertLater(openings.name, rows.slice(from, from + ROWS_AT_ONCE), 'skip')
    }
  }

  /** The first keys of a document whose hashes become known; waiting items are delivered after that. */
  private async first({ packageId, settings }: Opened): Promise<ReadonlySet<string>> {
    const openedTo = openedToRules(settings.documentAccess)
    if (packageId === undefined) return openedTo
    const sql = 'select registered_by_iin, registered_by_bin from registry_packages where id = ?'
    for (const { registered_by_iin: iin, registered_by_bin: bin } of await this.use.database.rows(sql, [packageId])) {
      if (iin !== null) openedTo.add(openedToPackageRegistrator(String(iin), bin === null ? undefined : String(bin)))
    }
    return openedTo
  }

  private async kept(documentId: string): Promise<string[]> {
    return this.use.database.query(openings.name).where({ document_id: documentId }).distinct().pluck('opened_to')
  }

  private async digests(documentIds: readonly string[]): Promise<Hash[]> {
    const sql = `select document_id, stored_at, value from registry_document_digests where document_id in (${places(documentIds)})`
    return (await this.use.database.rows(sql, documentIds)).map((row) => hashes.read(row))
  }

  private async documentsOf(packageId: string): Promise<string[]> {
    const sql = 'select documents_ids from registry_packages where id = ?'
    const [row] = await this.use.database.rows(sql, [packageId])
    return row === undefined ? [] : JSON.parse(String(row.documents_ids))
  }
}
