import { Database } from '../database/database.js'
import { Timeline } from '../database/timeline.js'
import type { Caller } from '../identity/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { StoredDocument } from './document-store.js'
import { wordsOfSignature } from './search-words.js'
import { type WordEntry, WordIndex } from './word-index.js'

/** The list of documents that a person signed, or that they signed as an employee. */
export const personalList = (iin: string, bin?: string): string => `documents ${iin}${bin ? `/${bin}` : ''}`

/** The list of documents that employees of an organization signed, or its systems registered. */
export const organizationList = (bin: string): string => `documents ${bin}`

/** The list of one's own documents (`organization=false`); a system has none. */
export function ownList(caller: Caller): string | undefined {
  if (caller.kind === 'person') return personalList(caller.iin)
  return caller.kind === 'employee' ? personalList(caller.iin, caller.bin) : undefined
}

/** Keeps the lists in which documents stand, and the words by which they are found there. */
export class DocumentLists {
  static readonly inject = [Database, Timeline, WordIndex] as const

  constructor(
    private readonly database: Database,
    private readonly timeline: Timeline,
    private readonly words: WordIndex,
  ) {}

  /** Lists a new document under its words (`wordsOfDocument`); in the transaction that adds it. */
  async add(document: StoredDocument, facts: SignatureFacts | undefined, words: readonly string[]): Promise<void> {
    const lists = new Set(facts ? listsOf(facts) : [])
    if (document.registrator) lists.add(organizationList(document.registrator.bin))
    const entries = entriesOf(document, lists, words)
    await this.timeline.addNew(entries)
    await this.words.add(entries)
  }

  /**
   * Lists documents for one more signer of each, and makes them found by their names; in the transaction that adds the
   * signatures, before it does.
   */
  async addSigners(signings: readonly { document: StoredDocument; facts: SignatureFacts }[]): Promise<void> {
    const documents = signings.map(({ document }) => document)
    const knownWords = await this.words.ofMany(documents.map(({ id }) => id))
    const knownLists = await this.#listsOf(documents)
    const [listed, found]: [WordEntry[], WordEntry[]] = [[], []]
    for (const { document, facts } of signings) {
      const known = knownWords.get(document.id) ?? []
      const words = wordsOfSignature(facts).filter((word) => !known.includes(word))
      const before = knownLists.get(document.id) ?? new Set()
      const added = listsOf(facts).filter((list) => !before.has(list))
      if (words.length > 0) await this.words.save(document.id, [...known, ...words])
      listed.push(...entriesOf(document, added, [...known, ...words]))
      found.push(...entriesOf(document, before, words))
    }
    await this.timeline.addAll(listed)
    await this.words.add([...listed, ...found])
  }

  /** Lists in which documents stand by their registrators and earlier signatures. */
  async #listsOf(documents: readonly StoredDocument[]): Promise<ReadonlyMap<string, Set<string>>> {
    const lists = new Map(
      documents.map(({ id, registrator }) => [id, new Set(registrator ? [organizationList(registrator.bin)] : [])]),
    )
    const signers: { document_id: string; user_id: string; business_id: string | null }[] = await this.database
      .query('registry_signatures')
      .whereIn('document_id', [...lists.keys()])
      .distinct('document_id', 'user_id', 'business_id')
    for (const { document_id, user_id: userId, business_id } of signers) {
      for (const list of listsOf({ userId, businessId: business_id ?? undefined })) lists.get(document_id)?.add(list)
    }
    return lists
  }
}

const entriesOf = (
  { storedAt: at, id: item }: StoredDocument,
  lists: Iterable<string>,
  words: readonly string[],
): WordEntry[] => [...lists].map((list) => ({ list, at, item, words }))

function listsOf({ userId, businessId }: { userId: string; businessId?: string | undefined }): string[] {
  if (businessId === undefined) return [personalList(userId)]
  return [personalList(userId, businessId), organizationList(businessId)]
}
