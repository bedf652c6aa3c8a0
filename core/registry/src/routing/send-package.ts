import { Database } from '../database/database.js'
import { DocumentAccess, DocumentStore, Sending } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageParams, PackageStore, type StoredPackage } from '../packages/index.js'
import { SendRequest, SentItem } from './schema.js'

/** Sends a package to a counterparty (specification, `POST /api/package/{packageId}/send`). */
export class SendPackage {
  static readonly operation = operation({
    id: 'sendPackage',
    group: 'routing',
    at: 'POST /package/:packageId/send',
    who: told(
      'people, and employees and systems with `documentsPackagesRoute`, who may act on the package and its documents',
    ),
    summary: 'Send a package to a counterparty',
    description:
      'The receiver gets the package and all of its documents when registration is complete and the conditions of `send` hold.',
    params: PackageParams,
    request: SendRequest,
    answer: SentItem,
    idempotent: true,
    refuses: [
      'accessDenied',
      'alreadySent',
      'authenticationRequired',
      'invalidDeadline',
      'invalidPackageIdentifier',
      'invalidReceiver',
      'packageNotFound',
      'tooManyWaitingItems',
    ],
  })
  static readonly inject = {
    packages: PackageStore,
    access: PackageAccess,
    documents: DocumentStore,
    documentAccess: DocumentAccess,
    sending: Sending,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof SendPackage.inject>) {}

  async execute(
    caller: Caller,
    { packageId, request, keep = keepNothing }: Input<typeof SendPackage.operation>,
  ): Promise<SentItem> {
    const prepared = await this.use.sending.prepare(caller, request)
    return this.use.database.transaction(async () => {
      // Locked, so that the package is neither completed nor sent a second time meanwhile.
      const found = await this.use.packages.lock(packageId)
      await this.use.access.assertMay('act', caller, found)
      await this.assertMaySendDocuments(caller, found)
      const isComplete = await this.use.packages.isComplete(packageId)
      return keep({ outgoingId: await this.use.sending.send(prepared, { packageId }, isComplete) })
    })
  }

  /** The receiver gets access to the documents: a caller who did not register the package needs the right to each of them. */
  private async assertMaySendDocuments(caller: Caller, found: StoredPackage): Promise<void> {
    if (await this.use.access.may('sendDocuments', caller, found)) return
    for (const document of await this.use.documents.getAll(found.documentsIds)) {
      await this.use.documentAccess.assertMay('act', caller, document)
    }
  }
}
