import { Database } from '../database/database.js'
import { DocumentAccess, DocumentStore, Sending } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { PackageAccess, PackageStore, type StoredPackage } from '../packages/index.js'
import type { SendRequest, SentItem } from './schema.js'

/** Sends a package to a counterparty (specification, `POST /api/package/{packageId}/send`). */
export class SendPackage {
  static readonly inject = [PackageStore, PackageAccess, DocumentStore, DocumentAccess, Sending, Database] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly access: PackageAccess,
    private readonly documents: DocumentStore,
    private readonly documentAccess: DocumentAccess,
    private readonly sending: Sending,
    private readonly database: Database,
  ) {}

  async execute(caller: Caller, packageId: string, request: SendRequest): Promise<SentItem> {
    const prepared = await this.sending.prepare(caller, request)
    const outgoingId = await this.database.transaction(async () => {
      // Locked, so that the package is not completed, nor sent a second time, in between.
      const found = await this.packages.lock(packageId)
      await this.access.assertMay('act', caller, found)
      await this.#assertMaySendDocuments(caller, found)
      return this.sending.send(prepared, { packageId }, await this.packages.isComplete(packageId))
    })
    return { outgoingId }
  }

  /** A package opens its documents to its receiver: who did not register it must have the right to each of them. */
  async #assertMaySendDocuments(caller: Caller, found: StoredPackage): Promise<void> {
    if (await this.access.may('sendDocuments', caller, found)) return
    for (const document of await this.documents.list(found.documentsIds)) {
      await this.documentAccess.assertMay('act', caller, document)
    }
  }
}
