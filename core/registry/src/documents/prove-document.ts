import type { Injected } from '../kernel/service.js'
import { LogEntries, type ProvedEntry, ProveEntry } from '../log/index.js'
import { DocumentStore } from './document-store.js'
import { SignatureStore } from './signature-store.js'

/** What the log proves of a part of a document. */
export interface DocumentLogProof {
  readonly kind: 'signature' | 'digests'
  /** `signId` of a signature; the document for its hashes, and an OID after a space for one that was added later. */
  readonly ref: string
  readonly proved: ProvedEntry
}

const PAGE = 100

/** Proves by the log what is registered of a document: each signature, then the hashes. */
export class ProveDocument {
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    entries: LogEntries,
    prove: ProveEntry,
  }

  constructor(private readonly use: Injected<typeof ProveDocument.inject>) {}

  /** Rejects with `documentNotFound`. */
  async *proofs(documentId: string): AsyncGenerator<DocumentLogProof> {
    const { documents, signatures, entries } = this.use
    const { digestsFixedAt } = await documents.get(documentId)
    for (let last = 0; ; ) {
      const page = await signatures.page(documentId, last, PAGE)
      for (const { signId } of page) yield this.proof('signature', `${signId}`)
      last = page.at(-1)?.signId ?? last
      if (page.length < PAGE) break
    }
    if (digestsFixedAt === undefined) return
    yield this.proof('digests', documentId)
    for (const ref of await entries.refsBelow('digests', documentId)) yield this.proof('digests', ref)
  }

  private async proof(kind: DocumentLogProof['kind'], ref: string): Promise<DocumentLogProof> {
    return { kind, ref, proved: await this.use.prove.of(kind, ref) }
  }
}
