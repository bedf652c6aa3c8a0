import type { Injected } from '../kernel/service.js'
import type { LeafField, LoggedFact, LoggedFacts, SaltedKind, StoredFact } from '../log/index.js'
import type { Digests } from '../originals/index.js'
import { digestsFact, furtherDigestsFacts, signatureFact } from './document-facts.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { SignatureStore } from './signature-store.js'

/** Reads what was logged of signatures and documents again. */
export class LoggedDocuments implements LoggedFacts {
  static readonly inject = { documents: DocumentStore, signatures: SignatureStore }
  readonly kinds = ['signature', 'digests'] as const

  constructor(private readonly use: Injected<typeof LoggedDocuments.inject>) {}

  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>> {
    const facts = kind === 'signature' ? await this.signatures(refs) : await this.digests(refs)
    return new Map(facts.map(({ ref, fields }) => [ref, fields]))
  }

  async *stored(kind: SaltedKind): AsyncGenerator<readonly StoredFact[]> {
    const { documents, signatures } = this.use
    if (kind === 'signature') yield* signatures.stored()
    else {
      yield* documents.fixed()
      yield* documents.addedLater()
    }
  }

  private async signatures(refs: readonly string[]): Promise<LoggedFact[]> {
    const signatures = await this.use.signatures.logged(refs.map(Number))
    const documents = await this.documents(signatures.map(({ documentId }) => documentId))
    return signatures.flatMap((signature) => {
      const document = documents.get(signature.documentId)
      return document === undefined ? [] : [signatureFact({ ...signature, documentStoredAt: document.storedAt })]
    })
  }

  private async digests(refs: readonly string[]): Promise<LoggedFact[]> {
    const ids = [...new Set(refs.map((ref) => documentOf(ref)))]
    const documents = await this.documents(ids)
    const digests = await this.use.documents.digestsOfAll(ids)
    const facts: LoggedFact[] = []
    for (const ref of refs) {
      const document = documents.get(documentOf(ref))
      const all = digests.get(documentOf(ref))
      if (document === undefined || all === undefined || document.digestsFixedAt === undefined) continue
      const oid = ref.slice(document.id.length + 1)
      if (oid === '') facts.push(digestsFact(document, await this.first(document.id, all)))
      else facts.push(...furtherDigestsFacts(document, new Map([...all].filter(([algorithm]) => algorithm === oid))))
    }
    return facts
  }

  private async documents(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentRecord>> {
    const found = await this.use.documents.getAll([...new Set(ids)])
    return new Map(found.map((document) => [document.id, document]))
  }

  /** Without those that were added later, which have entries of their own. */
  private async first(documentId: string, all: Digests): Promise<Digests> {
    const later = new Set(await this.use.documents.laterDigests(documentId))
    return new Map([...all].filter(([oid]) => !later.has(oid)))
  }
}

const documentOf = (ref: string): string => ref.split(' ', 1)[0] ?? ref
