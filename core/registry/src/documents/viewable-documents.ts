import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { DigestSearch } from './digest-search.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'

/** A registered document that was found by a hash of its original. */
export const FoundDocument = Type.Object({
  documentId: Type.String(),
  title: Type.String(),
  storedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
  signaturesTotal: Type.Integer(),
})
export type FoundDocument = Static<typeof FoundDocument>

/** Few: settings of a document may have 256 KiB, and a search may examine thousands of documents. */
const READ_AT_ONCE = 20

/** Finds documents by hashes of their original; those that the caller may not view are left out. */
export class ViewableDocuments {
  static readonly inject = { search: DigestSearch, documents: DocumentStore, access: DocumentAccess }

  constructor(private readonly use: Injected<typeof ViewableDocuments.inject>) {}

  /**
   * Those with any of these hashes, newest first. An original may be registered any number of times: up to `limit` are
   * returned of the public ones, the oldest and the newest, and `limit` by each kind of access of the caller.
   */
  async withDigest(caller: Caller, digests: readonly Buffer[], limit: number): Promise<FoundDocument[]> {
    const found: FoundDocument[] = []
    const ids = await this.use.search.find(caller, digests, limit)
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      found.push(...(await this.viewable(caller, ids.slice(from, from + READ_AT_ONCE))))
    return found.toSorted((a, b) => b.storedAt - a.storedAt)
  }

  private async viewable(caller: Caller, ids: readonly string[]): Promise<FoundDocument[]> {
    const found: FoundDocument[] = []
    for (const document of await this.use.documents.getAll(ids)) {
      if (!(await this.use.access.may('view', caller, document))) continue
      const { id: documentId, title, storedAt, signaturesTotal } = document
      found.push({ documentId, title, storedAt, signaturesTotal })
    }
    return found
  }
}
