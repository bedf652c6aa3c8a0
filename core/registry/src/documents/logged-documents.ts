import type { Injected } from '../kernel/service.js'
import type { LeafField, LoggedFact, LoggedFacts, SaltedKind, StoredFact } from '../log/index.js'
import type { Digests } from '../originals/index.js'
import { digestsFact, furtherDigestsFacts, signatureFact } from './document-facts.js'
import { DocumentStore } from './document-store.js'
import { SignatureStore } from './signature-store.js'

const FACTS_AT_ONCE = 500

/** Reads what was logged of signatures and documents again. */
export class LoggedDocuments implements LoggedFacts {
  static readonly inject = { documents: DocumentStore, signatures: SignatureStore }
  readonly kinds = ['signature', 'digests'] as const

  constructor(private readonly use: Injected<typeof LoggedDocuments.inject>) {}

  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>> {
    const facts = kind === 'signature' ? await this.signatures(refs) : await this.digests(refs)
    return new Map(facts.map(({ ref, fields }) => [ref, fields]))
  }

  async stored(kind: SaltedKind, after = ''): Promise<readonly StoredFact[]> {
    const { documents, signatures } = this.use
    if (kind === 'signature') return signatures.stored(Number(after), FACTS_AT_ONCE)
    // Fixed hashes of all documents, then those that were added later.
    const [document = '', oid] = after.split(' ')
    const fixed = oid === undefined ? await documents.fixed(document, FACTS_AT_ONCE) : []
    return fixed.length > 0 ? fixed : documents.addedLater(oid === undefined ? '' : document, oid ?? '', FACTS_AT_ONCE)
  }

  private async signatures(refs: readonly string[]): Promise<LoggedFact[]> {
    return (await this.use.signatures.logged(refs.map(Number))).map(signatureFact)
  }

  private async digests(refs: readonly string[]): Promise<LoggedFact[]> {
    const ids = [...new Set(refs.map((ref) => documentOf(ref)))]
    const documents = new Map((await this.use.documents.getAll(ids)).map((document) => [document.id, document]))
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

  /** Without those that were added later, which have entries of their own. */
  private async first(documentId: string, all: Digests): Promise<Digests> {
    const later = new Set(await this.use.documents.laterDigests(documentId))
    return new Map([...all].filter(([oid]) => !later.has(oid)))
  }
}

const documentOf = (ref: string): string => ref.split(' ', 1)[0] ?? ref
