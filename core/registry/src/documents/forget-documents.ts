import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { ScheduledTask } from '../kernel/schedule.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { DocumentLists } from './document-lists.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { ForgottenEntries } from './forgotten-entries.js'
import { DocumentLimits } from './limits.js'

const BATCH = 100
const DAY = 24 * 60 * 60_000

/** How long to keep unsigned documents and packages without originals: `incompleteRetentionMs`, 0 for ever. */
export class IncompleteRetention {
  static readonly inject = { database: Database, clock: Clock, limits: DocumentLimits }

  constructor(private readonly use: Injected<typeof IncompleteRetention.inject>) {}

  /**
   * Handles all that have waited too long, each in a transaction of its own. `waitingSince` returns ids that have waited at
   * least since a time; `lookAt` deletes one, stops its waiting, or gives it `aDayLeft`.
   */
  async overdue(
    waitingSince: (moment: number, limit: number) => Promise<readonly string[]>,
    lookAt: (id: string) => Promise<void>,
  ): Promise<void> {
    const { database, clock, limits } = this.use
    if (limits.incompleteRetentionMs === 0) return
    for (;;) {
      const ids = await waitingSince(clock.now() - limits.incompleteRetentionMs, BATCH)
      for (const id of ids) await database.transaction(() => lookAt(id))
      if (ids.length < BATCH) return
    }
  }

  /** A start of waiting that ends in a day. */
  aDayLeft(): number {
    return this.use.clock.now() - this.use.limits.incompleteRetentionMs + DAY
  }
}

const waiting = table('registry_waiting_documents', { documentId: text('document_id'), since: integer('since') })

/** Stores which preregistered documents still have neither original nor signature. */
export class WaitingDocuments {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof WaitingDocuments.inject>) {}

  async add(documents: readonly Pick<DocumentRecord, 'id' | 'storedAt'>[]): Promise<void> {
    const rows = documents.map(({ id: documentId, storedAt: since }) => waiting.row({ documentId, since }))
    await this.use.database.query(waiting.name).insert(rows)
  }

  /** Those that have waited at least since a time, the longest first. */
  async since(moment: number, limit: number): Promise<string[]> {
    const query = this.use.database.query(waiting.name).where('since', '<=', moment)
    return query.orderBy('since').limit(limit).pluck('document_id')
  }

  async remove(documentId: string): Promise<void> {
    await this.use.database.query(waiting.name).where(waiting.row({ documentId })).delete()
  }
}

/**
 * Deletes preregistered documents that never got an original or a signature: they are no more than a title.
 * Documents of packages are deleted with their packages.
 */
export class ForgetDocuments implements ScheduledTask {
  static readonly task = { name: 'forgetDocuments', schedule: '47 3 * * *' }
  static readonly inject = {
    waiting: WaitingDocuments,
    documents: DocumentStore,
    lists: DocumentLists,
    states: DataStates,
    retention: IncompleteRetention,
    entries: ForgottenEntries,
  }

  constructor(private readonly use: Injected<typeof ForgetDocuments.inject>) {}

  async run(): Promise<void> {
    const { retention, waiting } = this.use
    await retention.overdue(
      (moment, limit) => waiting.since(moment, limit),
      (id) => this.lookAt(id),
    )
  }

  private async lookAt(id: string): Promise<void> {
    const documents = await this.use.documents.lockAll([id])
    await this.use.waiting.remove(id)
    if (documents.some(({ signaturesTotal, digestsFixedAt }) => signaturesTotal > 0 || digestsFixedAt !== undefined))
      return
    // The original is being uploaded: try again another day.
    if ((await this.use.states.stored([id])).size > 0) {
      return this.use.waiting.add([{ id, storedAt: this.use.retention.aDayLeft() }])
    }
    await this.use.entries.ofDocuments(documents)
    await this.use.lists.forget(documents)
    await this.use.documents.forget([id])
  }
}
