import { DocumentAccess, type DocumentRecord, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage, PackageAccess, PackageParams } from '../packages/index.js'
import { PackageThread } from './thread-schema.js'
import { ThreadViewers } from './thread-viewer.js'
import { Threads } from './threads.js'

/** Few: settings of a document may have 256 KiB. */
const READ_AT_ONCE = 10

/** Tells where a package stands. */
export class GetPackageThread {
  static readonly operation = operation({
    id: 'getPackageThread',
    group: 'routing',
    at: 'GET /package/:packageId/thread',
    who: onPackage('view'),
    summary: 'Read where a package stands: what happened, who is awaited, what is next for the caller',
    description:
      'As GET /api/{id}/thread; of signatures and of who is awaited, what is known of the documents that the caller may view. Ours.',
    params: PackageParams,
    answer: PackageThread,
  })
  static readonly inject = {
    documents: DocumentStore,
    documentAccess: DocumentAccess,
    access: PackageAccess,
    viewers: ThreadViewers,
    threads: Threads,
  }

  constructor(private readonly use: Injected<typeof GetPackageThread.inject>) {}

  async execute(caller: Caller, { found }: Admitted<typeof GetPackageThread.operation>): Promise<PackageThread> {
    const { id: packageId, storedAt, registrator, documentsIds, settings } = found
    const viewer = await this.use.viewers.of(caller, await this.use.access.isParty(caller, found))
    const fixed = (await this.use.documents.list(documentsIds)).map(({ digestsFixedAt }) => digestsFixedAt ?? 0)
    const thread = await this.use.threads.of(
      {
        subject: { packageId },
        storedAt,
        registrator: registrator?.bin,
        completedAt: fixed.every((at) => at > 0) ? Math.max(...fixed) : undefined,
        documents: await this.viewable(caller, documentsIds),
        documentsTotal: documentsIds.length,
        signing: settings.signWholePackage ? 'whole' : 'each',
      },
      viewer,
    )
    return { packageId, ...thread }
  }

  private async viewable(caller: Caller, ids: readonly string[]): Promise<DocumentRecord[]> {
    const viewable: DocumentRecord[] = []
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      for (const document of await this.use.documents.getAll(ids.slice(from, from + READ_AT_ONCE)))
        if (await this.use.documentAccess.may('view', caller, document)) viewable.push(document)
    return viewable
  }
}
