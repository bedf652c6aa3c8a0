import { AuditStore } from '../audit/index.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries } from '../log/index.js'
import type { DocumentRecord } from './document-store.js'
import { RoutedItems } from './ports.js'

const REASON = 'incompleteRetention'

/**
 * Forgets what opens the log's entries that name documents and packages that nobody signed, in the transaction that deletes
 * these: fixed hashes, changes of settings, deliveries. Decisions name items, which stay.
 */
export class ForgottenEntries {
  static readonly inject = { entries: LogEntries, audit: AuditStore, items: RoutedItems }

  constructor(private readonly use: Injected<typeof ForgottenEntries.inject>) {}

  async ofDocuments(documents: readonly Pick<DocumentRecord, 'id' | 'digestsFixedAt'>[]): Promise<void> {
    const { entries, audit, items } = this.use
    for (const { id } of documents.filter(({ digestsFixedAt }) => digestsFixedAt !== undefined))
      await entries.forget('digests', [id, ...(await entries.refsBelow('digests', id))], REASON)
    const ids = documents.map(({ id }) => id)
    await audit.forgetEntries('document', ids, REASON)
    await items.forgetEntries(ids, REASON)
  }

  /** Of the package alone, not of its documents. */
  async ofPackage(id: string): Promise<void> {
    await this.use.audit.forgetEntries('package', [id], REASON)
    await this.use.items.forgetEntries([id], REASON)
  }
}
