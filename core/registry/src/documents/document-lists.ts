import { Database } from '../database/database.js'
import { Timeline, type TimelineEntry } from '../database/timeline.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import { WordIndex, wordsOfDocument, wordsOfSignature } from './word-index.js'

/** The list of documents that a person signed, privately or as an employee. */
export const personalList = (iin: string, bin?: string): string => `documents ${iin}${bin ? `/${bin}` : ''}`

/** The list of documents that employees of an organization signed, or its systems registered. */
export const organizationList = (bin: string): string => `documents ${bin}`

/** The list of one's own documents (`organization=false`); a system has none. */
export function ownList(caller: Caller): string | undefined {
  if (caller.kind === 'person') return personalList(caller.iin)
  return caller.kind === 'employee' ? personalList(caller.iin, caller.bin) : undefined
}

/** A document and a new signature. */
export interface SignedBy {
  readonly document: DocumentRecord
  readonly facts: SignatureFacts
}

/** A new document, and its first signature if it has one. */
export interface NewlyListed {
  readonly document: DocumentRecord
  readonly facts?: SignatureFacts | undefined
}

/** States of an original: its hashes are not known, only its hashes are known, or it is archived. */
export const ORIGINAL_STATES = ['incomplete', 'hashed', 'archived'] as const
export type OriginalState = (typeof ORIGINAL_STATES)[number]

/** The sublist of documents in one state: every document is in its lists, and in one sublist of each. */
export const partOf = (list: string, state: OriginalState): string => `${list} ${state}`

/** The sublist of documents whose digests all end soon (`ListEndingDigests`). */
export const endingPart = (list: string): string => `${list} ending`

/** The list of all documents of a person, privately, or of an organization. */
export const listOf = (owner: string): string =>
  owner.startsWith('BIN') ? organizationList(owner) : personalList(owner)

/** Whose documents are in these lists: employees have them of their organization. */
export const ownersOf = (lists: readonly string[]): string[] =>
  lists.map((list) => list.slice(list.indexOf(' ') + 1)).filter((owner) => !owner.includes('/'))

/** Maintains the lists of documents, and the words by which they are found there. */
export class DocumentLists {
  static readonly inject = { timeline: Timeline, words: WordIndex, states: DataStates, database: Database }

  constructor(private readonly use: Injected<typeof DocumentLists.inject>) {}

  /** Adds new documents to lists and to the search, in the transaction that stores them; `facts`: of a first signature. */
  async add(added: readonly NewlyListed[]): Promise<void> {
    await this.use.timeline.addNew(
      added.flatMap(({ document, facts }) => {
        const lists = new Set(facts ? listsOf(facts) : [])
        if (document.registrator) lists.add(organizationList(document.registrator.bin))
        return entriesOf(document, [...lists], 'incomplete')
      }),
    )
    await this.use.words.add(
      added.map(({ document: { id, storedAt, title, description }, facts }) => ({
        at: storedAt,
        item: id,
        part: 0,
        words: wordsOfDocument(title, description, facts),
      })),
    )
  }

  /** Removes documents without signatures from lists and from the search, in the transaction that deletes them. */
  async forget(documents: readonly DocumentRecord[]): Promise<void> {
    for (const document of documents) {
      const { id: item, storedAt: at, registrator } = document
      const lists = registrator ? [organizationList(registrator.bin)] : []
      const all = lists.flatMap((list) => [
        list,
        endingPart(list),
        ...ORIGINAL_STATES.map((state) => partOf(list, state)),
      ])
      await this.use.timeline.remove(all, { at, item })
    }
    const withDigests = documents.filter(({ digestsFixedAt }) => digestsFixedAt !== undefined).map(({ id }) => id)
    if (withDigests.length > 0)
      await this.use.database.query('registry_ending_documents').whereIn('document_id', withDigests).delete()
    await this.use.words.forget(documents.map(({ id, storedAt }) => ({ at: storedAt, item: id })))
  }

  /**
   * Adds documents to the lists of new signers, and the signers' names to the search. In the transaction that adds the
   * signatures, with the documents locked and before the signatures are counted.
   */
  async addSigners(signings: readonly SignedBy[]): Promise<void> {
    const archived = await this.use.states.archived(signings.map(({ document }) => document.id))
    await this.use.timeline.addAll(
      signings.flatMap(({ document, facts }) => {
        const known = document.digestsFixedAt === undefined ? 'incomplete' : 'hashed'
        return entriesOf(document, listsOf(facts), archived.has(document.id) ? 'archived' : known)
      }),
    )
    await this.use.words.add(
      signings.map(({ document: { id, storedAt, signaturesTotal }, facts }) => ({
        at: storedAt,
        item: id,
        part: signaturesTotal + 1,
        words: wordsOfSignature(facts),
      })),
    )
  }

  /** Moves a locked document between sublists, in the transaction that changes the state of its original. */
  async move(document: DocumentRecord, from: OriginalState, to: OriginalState): Promise<void> {
    const lists = await this.listsWith(document)
    const item = { at: document.storedAt, item: document.id }
    await this.use.timeline.remove(
      lists.map((list) => partOf(list, from)),
      item,
    )
    await this.use.timeline.add(
      lists.map((list) => partOf(list, to)),
      item,
    )
  }

  /** The lists that a document is in by its registrator and its signatures. */
  async listsWith({ id, registrator }: Pick<DocumentRecord, 'id' | 'registrator'>): Promise<string[]> {
    const lists = new Set(registrator ? [organizationList(registrator.bin)] : [])
    const signers: { user_id: string; business_id: string | null }[] = await this.use.database
      .query('registry_signatures')
      .where({ document_id: id })
      .distinct('user_id', 'business_id')
    for (const { user_id: userId, business_id } of signers) {
      for (const list of listsOf({ userId, businessId: business_id ?? undefined })) lists.add(list)
    }
    return [...lists]
  }
}

const entriesOf = (
  { storedAt: at, id: item }: DocumentRecord,
  lists: readonly string[],
  state: OriginalState,
): TimelineEntry[] =>
  lists.flatMap((list) => [
    { list, at, item },
    { list: partOf(list, state), at, item },
  ])

function listsOf({ userId, businessId }: { userId: string; businessId?: string | undefined }): string[] {
  if (businessId === undefined) return [personalList(userId)]
  return [personalList(userId, businessId), organizationList(businessId)]
}
