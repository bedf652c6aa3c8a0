import {
  DocumentAccess,
  DocumentParams,
  type DocumentRecord,
  DocumentStore,
  DocumentVersions,
  onDocument,
  PackageRules,
} from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DocumentThread, type ThreadStep } from './thread-schema.js'
import type { KnownSignature } from './thread-signers.js'
import { type ThreadViewer, ThreadViewers } from './thread-viewer.js'
import { Threads } from './threads.js'

/** Tells where a document stands. */
export class GetDocumentThread {
  static readonly operation = operation({
    id: 'getDocumentThread',
    group: 'routing',
    at: 'GET /:id/thread',
    who: onDocument('view'),
    summary: 'Read where a document stands: what happened, who is awaited, what is next for the caller',
    description:
      'Strangers, who see the document only because it is open to everybody, see of items when something happened to them. Parties of the document see organizations; people, texts and identifiers of items only the parties of the item. Ours.',
    params: DocumentParams,
    answer: DocumentThread,
  })
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    versions: DocumentVersions,
    packages: PackageRules,
    viewers: ThreadViewers,
    threads: Threads,
  }

  constructor(private readonly use: Injected<typeof GetDocumentThread.inject>) {}

  async execute(caller: Caller, { document }: Admitted<typeof GetDocumentThread.operation>): Promise<DocumentThread> {
    return this.of(caller, document)
  }

  /** As `execute`, for callers that have read the document, or some of its signatures too, and so need not be checked again. */
  async of(caller: Caller, document: DocumentRecord, signatures?: readonly KnownSignature[]): Promise<DocumentThread> {
    const { id: documentId, packageId, storedAt, registrator, digestsFixedAt } = document
    const viewer = await this.use.viewers.of(caller, await this.use.access.isParty(caller, document))
    const signedAsWhole = packageId !== undefined && (await this.use.packages.signedAsWhole(packageId))
    const thread = await this.use.threads.of(
      {
        subject: { documentId },
        storedAt,
        registrator: registrator?.bin,
        completedAt: digestsFixedAt,
        others: await this.replaced(caller, documentId, viewer),
        documents: [document],
        documentsTotal: 1,
        signing: signedAsWhole ? 'elsewhere' : 'each',
        signatures,
      },
      viewer,
    )
    return { documentId, ...thread }
  }

  /** The step of a newer version: callers who may view that version get its identifier, other parties only the time. */
  private async replaced(caller: Caller, id: string, { isParty }: ThreadViewer): Promise<ThreadStep[]> {
    const replacement = await this.use.versions.replacementOf(id)
    if (replacement === undefined) return []
    const { documentId, storedAt: at } = replacement
    if (await this.use.access.may('view', caller, await this.use.documents.get(documentId)))
      return [{ at, kind: 'replaced', documentId }]
    return isParty ? [{ at, kind: 'replaced' }] : []
  }
}
