import { Database } from '../database/database.js'
import { databaseFailure } from '../database/dialect.js'
import { everyRow } from '../database/every-row.js'
import { integer, json, optional, type Stored, table, text, word } from '../database/table.js'
import { limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries, type StoredFact } from '../log/index.js'
import { type LoggedChange, settingsFact } from './audit-facts.js'
import type { Author } from './author.js'
import { GIVING_ACCESS, loosensAccess } from './loosens-access.js'
import { type Change, changed, difference } from './settings-change.js'
import { plainState, stateHash } from './settings-state.js'

export interface AuditLimits {
  /** Events in one answer of a settings audit. */
  readonly auditEventsPerCall: number
  /** Bytes of the events in one answer, as JSON; the first event is answered whatever its size. */
  readonly auditBytesPerCall: number
}
export const AuditLimits = limits<AuditLimits>('AuditLimits', {
  auditEventsPerCall: 100,
  auditBytesPerCall: 1024 * 1024,
})

/** Whose settings changed; subscriptions and quotas are changed by the administrator of the service. */
export type AuditOwner = (typeof OWNERS)[number]
const OWNERS = ['user', 'organization', 'document', 'package', 'subscription', 'archiveQuota'] as const

/** A change of settings: all of them before and after. */
export interface AuditChange extends Author {
  readonly ownerKind: AuditOwner
  /** IIN, BIN or identifier of the owner. */
  readonly ownerId: string
  readonly original: object
  readonly modified: object
  /** Milliseconds. */
  readonly modifiedAt: number
}

/** A recorded change (specification, "Settings audit event"); `T` is the shape of the owner's settings. */
export interface AuditEvent<T> {
  readonly eventId: number
  readonly original: T
  readonly modified: T
  readonly modifiedBy?: string
  readonly modifiedByBusinessId?: string
  readonly modifiedByDigest?: string
  readonly administrator?: string
  readonly modifiedAt: number
}

export interface AuditPage<T> {
  /** All events of the owner, whatever the page. */
  readonly eventsTotal: number
  readonly events: AuditEvent<T>[]
}

export const eventsTable = table('registry_audit_events', {
  eventId: integer('event_id'),
  ownerKind: word('owner_kind', OWNERS),
  ownerId: text('owner_id'),
  /** JSON; empty where it is the state after the event before. */
  original: text('original'),
  /** JSON; empty where it follows from `change`. */
  modified: text('modified'),
  change: optional(json<Change>('change')),
  since: integer('since'),
  state: optional(text('state')),
  /** IIN, or the BIN of a system. */
  author: optional(text('modified_by')),
  modifiedByDigest: optional(text('modified_by_digest')),
  administrator: optional(text('administrator')),
  modifiedAt: integer('modified_at'),
})
type Row = Stored<typeof eventsTable>

/** Entries about documents and packages are forgotten when these are deleted, which is with their rows; the events stay. */
const NOT_FORGOTTEN = `(owner_kind <> 'document' or owner_id in (select id from registry_documents))
  and (owner_kind <> 'package' or owner_id in (select id from registry_packages))`

/** At most so many events in a row hold only changes: all of them must be read to restore a state. */
const MAX_SINCE = 20
/** Events whose entries of the log are forgotten at once. */
const FORGOTTEN_AT_ONCE = 500

/**
 * Records changes of settings for ever. Events are added and read, never changed. An event stores the change; it stores the
 * state where the change is about as large, where the chain of changes would grow long, and where no event led to it.
 * Changes that loosen access are logged, too.
 */
export class AuditStore {
  static readonly inject = { database: Database, limits: AuditLimits, log: LogEntries }

  constructor(private readonly use: Injected<typeof AuditStore.inject>) {}

  /**
   * Adds an event and returns its `eventId`. The owner's row must be locked in the transaction of the change, so that
   * events of one owner become visible in the order of their ids, and each starts from the state after the one before.
   */
  async append(change: AuditChange): Promise<number> {
    const { ownerKind, ownerId, modifiedBy, modifiedByBusinessId, modifiedByDigest, administrator } = change
    const [original, modified] = [plainState(change.original), plainState(change.modified)]
    const [before, after] = [stateHash(original), stateHash(modified)]
    const last = await this.last(ownerKind, ownerId)
    const follows = last?.state === before
    const delta = difference(original, modified) ?? { fields: {} }
    const modifiedJson = JSON.stringify(modified)
    const since = (follows ? last.since : 0) + 1
    const isSnapshot = since > MAX_SINCE || JSON.stringify(delta).length > modifiedJson.length / 2
    const event = {
      author: modifiedBy ?? modifiedByBusinessId,
      modifiedByDigest,
      administrator,
      modifiedAt: change.modifiedAt,
    }
    const row = eventsTable.row({
      ownerKind,
      ownerId,
      original: follows ? '' : JSON.stringify(original),
      modified: isSnapshot ? modifiedJson : '',
      change: isSnapshot ? undefined : delta,
      since: isSnapshot ? 0 : since,
      state: after,
      ...event,
    })
    return this.use.database.transaction(async () => {
      const [inserted] = await this.use.database.query(eventsTable.name).insert(row)
      const eventId = Number(inserted)
      if (loosensAccess(ownerKind, original, modified))
        await this.use.log.append([
          settingsFact({ ownerKind, ownerId, ...facts({ eventId, ...event }), before, after }),
        ])
      return eventId
    })
  }

  /** Events of an owner after `lastEventId`, oldest first; the last page is empty. */
  async page<T>(
    ownerKind: AuditOwner,
    ownerId: string,
    { lastEventId = 0 }: { readonly lastEventId?: number | undefined } = {},
  ): Promise<AuditPage<T>> {
    const total = await this.of(ownerKind, ownerId).count({ total: '*' }).first()
    const events: AuditEvent<T>[] = []
    let bytes = 0
    let state: unknown
    for (const row of await this.rowsAfter(ownerKind, ownerId, lastEventId)) {
      if (row.original !== '') state = JSON.parse(row.original)
      else if (events.length === 0) state = (await this.stateBefore(row)) ?? missing(row)
      const original = state
      state = row.modified === '' ? changed(state, row.change) : JSON.parse(row.modified)
      bytes += Buffer.byteLength(JSON.stringify([original, state]))
      if (events.length > 0 && bytes > this.use.limits.auditBytesPerCall) break
      // Recorded states are not validated again.
      events.push({ ...facts(row), original: original as T, modified: state as T })
    }
    return { eventsTotal: Number(total?.total ?? 0), events }
  }

  /** What is logged of these events, with the settings restored; without events that are gone, or follow ones that are. */
  async logged(eventIds: readonly number[]): Promise<LoggedChange[]> {
    const rows = await this.events().whereIn('event_id', eventIds).select(eventsTable.columns)
    const changes: LoggedChange[] = []
    for (const row of rows.map((one) => eventsTable.read(one))) {
      const states = await this.states(row)
      if (states === undefined) continue
      const [before, after] = states
      const { ownerKind, ownerId } = row
      changes.push({ ownerKind, ownerId, ...facts(row), before: stateHash(before), after: stateHash(after) })
    }
    return changes
  }

  /** All changes that have to be logged. */
  async *stored(): AsyncGenerator<readonly StoredFact[]> {
    const kinds = GIVING_ACCESS.map((kind) => `'${kind}'`).join(', ')
    const select = (behind: string) =>
      `select * from ${eventsTable.name} where ${behind} and owner_kind in (${kinds}) and ${NOT_FORGOTTEN}`
    for await (const rows of everyRow(this.use.database, ['event_id'], select)) {
      const found: StoredFact[] = []
      for (const row of rows)
        if (await this.mayLoosen(row)) found.push({ ref: `${row.event_id}`, at: Number(row.modified_at) })
      yield found
    }
  }

  /** Whether a change loosens access, or was made such that nobody can tell. */
  private async mayLoosen(kept: Readonly<Record<string, unknown>>): Promise<boolean> {
    try {
      const row = eventsTable.read(kept)
      const states = await this.states(row)
      return states === undefined || loosensAccess(row.ownerKind, ...states)
    } catch (error) {
      if (databaseFailure(error) !== undefined) throw error
      return true
    }
  }

  /** The settings before and after an event; `undefined` where an event that leads to them is gone. */
  private async states(row: Row): Promise<readonly [before: unknown, after: unknown] | undefined> {
    const before: unknown = row.original === '' ? await this.stateBefore(row) : JSON.parse(row.original)
    if (before === undefined) return undefined
    return [before, row.modified === '' ? changed(before, row.change) : JSON.parse(row.modified)]
  }

  /** Forgets what opens the log's entries about owners, in the transaction that deletes these; the events stay. */
  async forgetEntries(ownerKind: AuditOwner, ownerIds: readonly string[], reason: string): Promise<void> {
    for (let after = 0; ; ) {
      const next = this.events().where({ owner_kind: ownerKind }).whereIn('owner_id', ownerIds)
      const ids: number[] = (
        await next.andWhere('event_id', '>', after).orderBy('event_id').limit(FORGOTTEN_AT_ONCE).pluck('event_id')
      ).map(Number)
      await this.use.log.forget('settings', ids.map(String), reason)
      if (ids.length < FORGOTTEN_AT_ONCE) return
      after = ids.at(-1) ?? after
    }
  }

  /** The next events, as many as an answer may have; sizes are asked first, so that no more is read than the limit of bytes. */
  private async rowsAfter(ownerKind: AuditOwner, ownerId: string, lastEventId: number): Promise<Row[]> {
    const { query } = this.use.database
    const next = () => this.of(ownerKind, ownerId).andWhere('event_id', '>', lastEventId).orderBy('event_id')
    const kept = query.raw("length(original) + length(modified) + length(coalesce(`change`, '')) as bytes")
    const sizes: { event_id: number; bytes: number }[] = await next()
      .limit(this.use.limits.auditEventsPerCall)
      .select('event_id', kept)
    let bytes = 0
    const within = sizes.filter((row, index) => {
      bytes += Number(row.bytes)
      return index === 0 || bytes <= this.use.limits.auditBytesPerCall
    })
    if (within.length === 0) return []
    const rows = await next()
      .limit(within.length)
      .select(...eventsTable.columns)
    return rows.map((row) => eventsTable.read(row))
  }

  /** The state before an event, restored from earlier events; `undefined` where one of these is gone. */
  private async stateBefore({ ownerKind, ownerId, eventId }: Row): Promise<unknown> {
    const changes: (Change | undefined)[] = []
    for (let before = eventId; ; ) {
      const found = await this.of(ownerKind, ownerId)
        .andWhere('event_id', '<', before)
        .orderBy('event_id', 'desc')
        .first(...eventsTable.columns)
      if (found === undefined) return undefined
      const row = eventsTable.read(found)
      const base = row.modified || row.original
      if (row.modified === '') changes.unshift(row.change)
      if (base !== '') return changes.reduce(changed, JSON.parse(base))
      before = row.eventId
    }
  }

  private async last(ownerKind: AuditOwner, ownerId: string): Promise<Pick<Row, 'since' | 'state'> | undefined> {
    const row = await this.of(ownerKind, ownerId)
      .orderBy('event_id', 'desc')
      .first(...eventsTable.only('since', 'state'))
    return row && eventsTable.read(row)
  }

  private of(ownerKind: AuditOwner, ownerId: string) {
    return this.events().where({ owner_kind: ownerKind, owner_id: ownerId })
  }

  private events() {
    return this.use.database.query(eventsTable.name)
  }
}

function facts({
  eventId,
  author,
  modifiedByDigest,
  administrator,
  modifiedAt,
}: Pick<Row, 'eventId' | 'author' | 'modifiedByDigest' | 'administrator' | 'modifiedAt'>) {
  return {
    eventId,
    ...(author !== undefined && (author.startsWith('BIN') ? { modifiedByBusinessId: author } : { modifiedBy: author })),
    ...(modifiedByDigest !== undefined && { modifiedByDigest }),
    ...(administrator !== undefined && { administrator }),
    modifiedAt,
  }
}

function missing({ eventId }: Row): never {
  throw new Error(`Audit events before ${eventId} are missing`)
}
