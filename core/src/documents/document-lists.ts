import { Database } from '../database/database.js'
import { Timeline } from '../database/timeline.js'
import type { Caller } from '../identity/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { StoredDocument } from './document-store.js'
import { wordsOfSignature } from './search-words.js'
import { WordIndex } from './word-index.js'

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
    await this.#enter(document, [...lists], words)
  }

  /** Lists a document for one more signer, and makes it found by their name; in the transaction that adds the signature. */
  async addSigner(document: StoredDocument, facts: SignatureFacts): Promise<void> {
    const known = await this.words.of(document.id)
    const words = wordsOfSignature(facts).filter((word) => !known.includes(word))
    const before = await this.#listsOf(document)
    const added = listsOf(facts).filter((list) => !before.has(list))
    if (words.length > 0) await this.words.save(document.id, [...known, ...words])
    await this.#enter(document, added, [...known, ...words])
    await this.words.add([...before], words, { at: document.storedAt, item: document.id })
  }

  async #enter(document: StoredDocument, lists: readonly string[], words: readonly string[]): Promise<void> {
    const item = { at: document.storedAt, item: document.id }
    await this.timeline.add(lists, item)
    await this.words.add(lists, words, item)
  }

  /** Lists in which a document stands by its registrator and its earlier signatures. */
  async #listsOf({ id, registrator }: StoredDocument): Promise<Set<string>> {
    const signers: { user_id: string; business_id: string | null }[] = await this.database
      .query('registry_signatures')
      .where({ document_id: id })
      .distinct('user_id', 'business_id')
    const lists = signers.flatMap((row) => listsOf({ userId: row.user_id, businessId: row.business_id ?? undefined }))
    return new Set(registrator ? [...lists, organizationList(registrator.bin)] : lists)
  }
}

function listsOf({ userId, businessId }: { userId: string; businessId?: string | undefined }): string[] {
  if (businessId === undefined) return [personalList(userId)]
  return [personalList(userId, businessId), organizationList(businessId)]
}
