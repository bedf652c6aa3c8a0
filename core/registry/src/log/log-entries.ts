import { randomBytes } from 'node:crypto'
import {
  type ForgettableKind,
  type PublicEntry,
  publicEntry,
  SALT_BYTES,
  saltedEntry,
} from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { places, type Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { LogSettings } from './log-settings.js'
import { LogStore } from './log-store.js'
import { entriesTable, forgottenRef, pendingTable, storedRef } from './log-tables.js'
import { LOGGED_KINDS, type LoggedFact, type LoggedKind, leafText, type SaltedKind } from './logged-facts.js'

/** An entry of a log: where it stands, and what opens it. */
export type LogEntry = Stored<typeof entriesTable>

/** Adds entries, and finds them again. */
export class LogEntries {
  static readonly inject = { database: Database, logs: LogStore, settings: LogSettings }
  private readonly listeners = new Set<() => void>()

  constructor(private readonly use: Injected<typeof LogEntries.inject>) {}

  /** Logs facts with the caller's transaction: each enters the tree some seconds after its commit. */
  async append(facts: readonly LoggedFact[]): Promise<void> {
    if (!this.use.settings.isOn) return
    await this.add(
      facts.map(({ kind, ref, fields }) => {
        const salt = randomBytes(SALT_BYTES)
        return { kind: LOGGED_KINDS[kind], ref, salt, entry: saltedEntry(salt, leafText(kind, fields)) }
      }),
    )
  }

  /** Logs what everybody may read. `ref` names it for `find`. */
  async publish(ref: string, entry: PublicEntry): Promise<void> {
    if (this.use.settings.isOn) await this.addPublic(ref, entry)
  }

  /** As `publish`, unless a log has an entry of that name; in a transaction that no other host is in at the time. */
  async publishOnce(log: number, ref: string, entry: PublicEntry): Promise<void> {
    if (await this.waits('public', ref)) return
    if ((await this.find('public', ref, log)) === undefined) await this.publish(ref, entry)
  }

  /** The entry of a fact, of one log or of any, the first where there are several; `undefined` while it is in no tree. */
  async find(kind: LoggedKind, ref: string, log?: number): Promise<LogEntry | undefined> {
    const rows = await this.use.database.rows(
      `select ${entriesTable.columns.join(', ')} from registry_log_entries where ref = ? and kind = ? order by log, idx`,
      [storedRef(ref), LOGGED_KINDS[kind]],
    )
    return rows.map((row) => entriesTable.read(row)).find((entry) => log === undefined || entry.log === log)
  }

  /** As `find`, for many, by ref; without those that are in no tree. */
  async findAll(kind: LoggedKind, refs: readonly string[]): Promise<ReadonlyMap<string, LogEntry>> {
    const rows = await this.use.database.rows(
      `select ${entriesTable.columns.join(', ')} from registry_log_entries
        where ref in (${places(refs)}) and kind = ? order by log desc, idx desc`,
      [...refs.map(storedRef), LOGGED_KINDS[kind]],
    )
    return new Map(rows.map((row) => entriesTable.read(row)).map((entry) => [entry.ref, entry]))
  }

  /** Whether a fact waits to be integrated. */
  async waits(kind: LoggedKind, ref: string): Promise<boolean> {
    const sql = 'select id from registry_log_pending where ref = ? and kind = ? limit 1'
    return (await this.use.database.rows(sql, [storedRef(ref), LOGGED_KINDS[kind]])).length > 0
  }

  /** The refs of entries of a kind, integrated or not, that continue a ref after a space. */
  async refsBelow(kind: SaltedKind, ref: string): Promise<string[]> {
    const of = 'where kind = ? and ref > ? and ref < ?'
    const sql = `select ref from registry_log_entries ${of} union select ref from registry_log_pending ${of}`
    const range = [LOGGED_KINDS[kind], `${ref} `, `${ref}!`]
    return (await this.use.database.rows(sql, [...range, ...range])).map((row) => entriesTable.read(row).ref)
  }

  /**
   * Forgets what opens the entries of facts, in the transaction that deletes them; the tree stays whole. That they were forgotten
   * is logged for everybody, by their numbers.
   */
  async forget(kind: ForgettableKind, refs: readonly string[], reason: string): Promise<void> {
    if (refs.length === 0) return
    const of = { kind: LOGGED_KINDS[kind] }
    const stored = refs.map(storedRef)
    const waiting = () => this.use.database.query(pendingTable.name)
    // Entries that are in no tree yet are simply deleted; by their keys, as a scan would wait for all who log meanwhile.
    const ids = await waiting().whereIn('ref', stored).andWhere(pendingTable.row(of)).pluck('id')
    if (ids.length > 0) await waiting().whereIn('id', ids).delete()
    const entries = () =>
      this.use.database.query(entriesTable.name).whereIn('ref', stored).andWhere(entriesTable.row(of))
    const known = (await entries().whereNotNull('salt').select(entriesTable.columns)).map((row) =>
      entriesTable.read(row),
    )
    if (known.length === 0) return
    await entries().update(entriesTable.row({ salt: undefined, ref: '' }))
    const origins = new Map((await this.use.logs.all()).map(({ log, origin }) => [log, origin]))
    for (const { log, index } of known) {
      const origin = origins.get(log)
      if (origin === undefined) continue
      // Also while the log is off: without its entry forgetting looks like removal.
      await this.addPublic(forgottenRef({ log, index }, kind), {
        kind: 'forgotten',
        origin,
        index,
        entryKind: kind,
        reason,
      })
    }
  }

  /** Calls back after each commit that logs something. */
  onAdded(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private addPublic(ref: string, entry: PublicEntry): Promise<void> {
    return this.add([{ kind: LOGGED_KINDS.public, ref, salt: undefined, entry: publicEntry(entry) }])
  }

  private async add(rows: readonly Omit<Stored<typeof pendingTable>, 'id'>[]): Promise<void> {
    const { database } = this.use
    if (rows.length === 0) return
    await database.insertLater(
      pendingTable.name,
      rows.map((row) => pendingTable.row(row)),
    )
    database.afterCommit(() => {
      for (const listener of this.listeners) listener()
    })
  }
}
