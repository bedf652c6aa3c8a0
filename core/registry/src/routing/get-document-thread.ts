import { DocumentAccess, DocumentParams, onDocument, PackageRules } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DocumentThread } from './thread-schema.js'
import { ThreadViewers } from './thread-viewer.js'
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
  static readonly inject = { access: DocumentAccess, packages: PackageRules, viewers: ThreadViewers, threads: Threads }

  constructor(private readonly use: Injected<typeof GetDocumentThread.inject>) {}

  async execute(caller: Caller, { document }: Admitted<typeof GetDocumentThread.operation>): Promise<DocumentThread> {
    const { id: documentId, packageId, storedAt, registrator, digestsFixedAt } = document
    const viewer = await this.use.viewers.of(caller, await this.use.access.isParty(caller, document))
    const about = {
      subject: { documentId },
      storedAt,
      registrator: registrator?.bin,
      completedAt: digestsFixedAt,
      documents: [document],
      // Of a package that is signed as a whole, one document is less than all.
      documentsTotal: 1,
      signedAsWhole: false,
    }
    if (packageId === undefined || !(await this.use.packages.signedAsWhole(packageId)))
      return { documentId, ...(await this.use.threads.of(about, viewer)) }
    return { documentId, ...(await this.use.threads.of({ ...about, signedAsWhole: true, documentsTotal: 2 }, viewer)) }
  }
}
