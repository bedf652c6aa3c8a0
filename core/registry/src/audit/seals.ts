import { createHash, type Hash } from 'node:crypto'
import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { integer, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries, type StoredFact } from '../log/index.js'
import { type Seal, sealFact } from './audit-facts.js'
import { eventsTable } from './audit-store.js'

const sealsTable = table('registry_audit_seals', {
  lastEventId: integer('last_event_id'),
  hash: text('hash'),
  sealedAt: integer('sealed_at'),
})

/** Longer than any transaction: ids become visible out of order, and none may appear between sealed ones. */
const SETTLED_MS = 10 * 60_000
const BATCH = 500
const FIRST = '0'.repeat(64)
/** The hashed columns. A new column would change old hashes: it needs a new kind of seal. */
const SEALED = [
  'event_id',
  'owner_kind',
  'owner_id',
  'original',
  'modified',
  'change',
  'modified_by',
  'modified_by_digest',
  'administrator',
  'modified_at',
]

/** The result of a check of the audit. */
export interface AuditCheck {
  /** Events that are sealed, and those that are still too new. */
  readonly sealed: number
  readonly unsealed: number
  /** The last hash of the chain; kept elsewhere, it shows when the whole chain was recomputed. */
  readonly head: string
  /** Ids of events between which one was changed, removed or added. */
  readonly broken?: { readonly after: number; readonly upTo: number }
  /** Whether the chain still has the hash that was kept. */
  readonly hasKept?: boolean
}

/** Chains audit events by hashes, so that changing, removing or inserting one shows; each seal is logged. */
export class AuditSeals {
  static readonly task = { name: 'sealAudit', schedule: '*/5 * * * *' }
  static readonly inject = { database: Database, clock: Clock, log: LogEntries }

  constructor(private readonly use: Injected<typeof AuditSeals.inject>) {}

  /** Seals the events that are at least ten minutes old. */
  async run(): Promise<void> {
    for (;;) {
      const before =
        (await this.seals()
          .orderBy('last_event_id', 'desc')
          .first(...sealsTable.columns)) ?? undefined
      const { lastEventId: after, hash } = before ? sealsTable.read(before) : { lastEventId: 0, hash: FIRST }
      const sealedAt = this.use.clock.now()
      const chain = chainAfter(hash)
      let lastEventId = after
      for (const event of await this.events(after, Number.MAX_SAFE_INTEGER)) {
        if (Number(event.modified_at) > sealedAt - SETTLED_MS) break
        add(chain, event)
        lastEventId = Number(event.event_id)
      }
      if (lastEventId === after) return
      await this.keep({ lastEventId, hash: chain.digest('hex'), sealedAt })
    }
  }

  /** The seals that end with these events; without those that are gone. */
  async at(lastEventIds: readonly number[]): Promise<Seal[]> {
    const rows = await this.seals().whereIn('last_event_id', lastEventIds).select(sealsTable.columns)
    return rows.map((row) => sealsTable.read(row))
  }

  /** All seals, as facts that have to be logged. */
  async *stored(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) => `select last_event_id, sealed_at from registry_audit_seals where ${behind}`
    for await (const rows of everyRow(this.use.database, ['last_event_id'], select))
      yield rows
        .map((row) => sealsTable.read(row))
        .map(({ lastEventId, sealedAt }) => ({ ref: `${lastEventId}`, at: sealedAt }))
  }

  /** Recomputes the chain, and looks for a hash that was kept. */
  async check(kept?: string): Promise<AuditCheck> {
    let [after, head, sealed] = [0, FIRST, 0]
    let hasKept = kept === FIRST
    for (;;) {
      const next = await this.seals()
        .where('last_event_id', '>', after)
        .orderBy('last_event_id')
        .first(...sealsTable.columns)
      const unsealed = async () =>
        Number((await this.rows().where('event_id', '>', after).count({ n: '*' }).first())?.n)
      const found = async () => ({ sealed, unsealed: await unsealed(), head, ...(kept !== undefined && { hasKept }) })
      if (next === undefined) return found()
      const { lastEventId, hash } = sealsTable.read(next)
      const chain = chainAfter(head)
      for (let from = after; ; ) {
        const events = await this.events(from, lastEventId)
        for (const event of events) add(chain, event)
        sealed += events.length
        from = Number(events.at(-1)?.event_id ?? lastEventId)
        if (events.length < BATCH) break
      }
      if (chain.digest('hex') !== hash) return { ...(await found()), broken: { after, upTo: lastEventId } }
      after = lastEventId
      head = hash
      hasKept ||= hash === kept
    }
  }

  private keep(seal: Seal): Promise<void> {
    return this.use.database.transaction(async () => {
      await this.seals().insert(sealsTable.row(seal))
      await this.use.log.append([sealFact(seal)])
    })
  }

  private events(after: number, upTo: number): Promise<Record<string, unknown>[]> {
    return this.rows()
      .where('event_id', '>', after)
      .andWhere('event_id', '<=', upTo)
      .orderBy('event_id')
      .limit(BATCH)
      .select(SEALED)
  }

  private rows() {
    return this.use.database.query(eventsTable.name)
  }

  private seals() {
    return this.use.database.query(sealsTable.name)
  }
}

const chainAfter = (hash: string): Hash => createHash('sha256').update(hash)

/** Numbers as text: drivers return them differently. */
const add = (chain: Hash, event: Record<string, unknown>): Hash =>
  chain.update(JSON.stringify(SEALED.map((name) => (event[name] === null ? null : String(event[name])))))
