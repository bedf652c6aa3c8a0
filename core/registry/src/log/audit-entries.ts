import { isForgettable, isSalted, readLeafText, readPublicEntry, saltedEntry } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { databaseFailure } from '../database/dialect.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore } from './checkpoint-store.js'
import type { LogEntry } from './log-entries.js'
import { type Log, LogStore } from './log-store.js'
import { entriesTable, forgottenRef, storedRef } from './log-tables.js'
import { LOGGED_KINDS, LoggedFacts, type LoggedKind, LoggedTexts, type SaltedKind } from './logged-facts.js'

/** An entry of a served log, and what became in the database of that which it was logged of. */
export interface AuditedEntry {
  readonly index: number
  /**
   * `asLogged`: the same; `public`: for everybody to read; `forgotten`: gone, and the log says so; `forgottenElsewhere`: gone, and
   * a later log says so by the database, which comparing that log proves; `changed`: other than logged; `removed`: gone, or what
   * opens the entry is gone, and no log says that it was forgotten; `unknown`: this program cannot write the text of its kind.
   */
  readonly state: 'asLogged' | 'public' | 'forgotten' | 'forgottenElsewhere' | 'changed' | 'removed' | 'unknown'
  readonly kind?: LoggedKind
  /** Names it among those of its kind: the `signId` of a signature, the `documentId` of hashes. */
  readonly ref?: string
  readonly documentId?: string
  /** Why it was forgotten. */
  readonly reason?: string
  /** The entry which says that it was forgotten, by the database. */
  readonly elsewhere?: EntryOfLog
}

/** An entry of a log of the registry, which auditing that log with the same database comes to. */
export interface EntryOfLog {
  readonly origin: string
  readonly index: number
}

/** Reads an entry of the served log; `undefined` where it has none, or none that is proved. */
export type EntryAt = (index: number) => Promise<Uint8Array | undefined>

/** A text, or that the fact is there and no text can be written of it. */
type WrittenText = string | typeof UNREADABLE
const UNREADABLE = null

/** Compares the database with a log as it is served: what this database has of its tree is not asked. */
export class AuditEntries {
  static readonly inject = {
    database: Database,
    logs: LogStore,
    checkpoints: CheckpointStore,
    facts: LoggedFacts,
    texts: LoggedTexts,
  }

  constructor(private readonly use: Injected<typeof AuditEntries.inject>) {}

  /** The log with this name in checkpoints; `undefined` where the database has none. */
  async log(origin: string): Promise<Log | undefined> {
    return (await this.use.logs.all()).find((log) => log.origin === origin)
  }

  /** Opens consecutive entries, the first of which has this index; some hundred at a time. */
  async compare(
    log: Log,
    first: number,
    entries: readonly Uint8Array[],
    entryAt: EntryAt,
  ): Promise<readonly AuditedEntry[]> {
    const compared = await this.compareOnce(log, first, entries, entryAt)
    if (compared.every(isRight)) return compared
    // What is forgotten between two reads looks removed: the second time it does not.
    return this.compareOnce(log, first, entries, entryAt)
  }

  private async compareOnce(
    log: Log,
    first: number,
    entries: readonly Uint8Array[],
    entryAt: EntryAt,
  ): Promise<AuditedEntry[]> {
    const rows = await this.rows(log, first, entries.length)
    const texts = await this.texts([...rows.values()].flat())
    const compared: AuditedEntry[] = []
    for (const [at, entry] of entries.entries()) {
      const index = first + at
      const [row, another] = rows.get(index) ?? []
      // Of a table that was made anew without its key: one of them would hide a fact that no entry has.
      if (another !== undefined) compared.push({ index, state: 'changed' })
      else compared.push(await this.judge(log, index, entry, { row, text: row && texts.get(nameOf(row)) }, entryAt))
    }
    return compared
  }

  private async judge(
    log: Log,
    index: number,
    entry: Uint8Array,
    { row, text }: { readonly row: LogEntry | undefined; readonly text: WrittenText | undefined },
    entryAt: EntryAt,
  ): Promise<AuditedEntry> {
    if (row === undefined) return { index, state: 'removed' }
    const kind = kindOf(row.kind)
    const { ref } = row
    const found = { index, ref, ...(kind !== undefined && { kind }) }
    if (!isSalted(entry)) return { ...found, state: (await this.isPublic(entry, row)) ? 'public' : 'changed' }
    if (kind === 'public') return { ...found, state: 'changed' }
    if (kind === undefined || !this.use.facts.some(({ kinds }) => kinds.includes(kind)))
      return { ...found, state: 'unknown' }
    if (row.salt === undefined) return { ...found, ...(await this.forgotten(log, index, kind, entryAt)) }
    if (text === undefined) return { ...found, state: 'removed' }
    if (text === UNREADABLE) return { ...found, state: 'changed' }
    const documentId = readLeafText(text).fields.get('documentId')
    const isSame = row.salt.length === entry.length && saltedEntry(row.salt, text).equals(entry)
    return { ...found, state: isSame ? 'asLogged' : 'changed', ...(documentId !== undefined && { documentId }) }
  }

  /** Whether an entry may be what a row names; that something was forgotten has to be in it. */
  private async isPublic(entry: Uint8Array, { kind, ref }: LogEntry): Promise<boolean> {
    if (kindOf(kind) !== 'public') return false
    const [, number, index, forgotten = ''] = /^forgotten (\d+) (\d+) (\w+)$/.exec(ref) ?? []
    if (number === undefined) return true
    const log = (await this.use.logs.all()).find((one) => one.log === Number(number))
    return log !== undefined && reasonIn(entry, log, Number(index), forgotten) !== undefined
  }

  /** Where what opens an entry is gone: the database tells which entry says why, the served log what that says. */
  private async forgotten(
    { log, origin }: Log,
    index: number,
    kind: SaltedKind,
    entryAt: EntryAt,
  ): Promise<Pick<AuditedEntry, 'state' | 'reason' | 'elsewhere'>> {
    if (!isForgettable(kind)) return { state: 'removed' }
    const [row] = await this.use.database.rows(
      'select log, idx from registry_log_entries where ref = ? and kind = ? order by log desc, idx desc limit 1',
      [storedRef(forgottenRef({ log, index }, kind)), LOGGED_KINDS.public],
    )
    if (row === undefined) return { state: 'removed' }
    const place = entriesTable.read(row)
    const later = (await this.use.logs.all()).find((one) => one.log === place.log && one.log > log)
    if (later !== undefined)
      return (await this.isCovered(place))
        ? { state: 'forgottenElsewhere', elsewhere: { origin: later.origin, index: place.index } }
        : { state: 'removed' }
    const entry = await entryAt(place.index)
    const reason = entry && reasonIn(entry, { origin }, index, kind)
    return reason === undefined ? { state: 'removed' } : { state: 'forgotten', reason }
  }

  /** Whether auditing the log of an entry comes to it. */
  private async isCovered({ log, index }: Pick<LogEntry, 'log' | 'index'>): Promise<boolean> {
    const size = (await this.use.checkpoints.newest(log))?.size ?? 0
    return Number.isSafeInteger(index) && index >= 0 && index < size
  }

  private async rows({ log }: Log, first: number, count: number): Promise<ReadonlyMap<number, readonly LogEntry[]>> {
    const rows = await this.use.database.rows(
      `select ${entriesTable.columns.join(', ')} from registry_log_entries where log = ? and idx >= ? and idx < ?`,
      [log, first, first + count],
    )
    const found = new Map<number, LogEntry[]>()
    for (const entry of rows.map((row) => entriesTable.read(row)))
      found.set(entry.index, [...(found.get(entry.index) ?? []), entry])
    return found
  }

  /** Texts by `nameOf`, without those of facts that are gone. */
  private async texts(rows: readonly LogEntry[]): Promise<ReadonlyMap<string, WrittenText>> {
    const texts = new Map<string, WrittenText>()
    for (const kind of this.use.facts.flatMap(({ kinds }) => kinds)) {
      const own = rows.filter((row) => row.kind === LOGGED_KINDS[kind] && row.salt !== undefined)
      const found =
        own.length === 0
          ? []
          : await this.readable(
              kind,
              own.map(({ ref }) => ref),
            )
      for (const [ref, text] of found) texts.set(nameOf({ kind: LOGGED_KINDS[kind], ref }), text)
    }
    return texts
  }

  /** A row that was made unreadable must not hide the others: where one of them fails, each is read alone. */
  private async readable(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, WrittenText>> {
    try {
      return await this.use.texts.read(kind, refs)
    } catch (error) {
      // Where the database itself fails, nothing is known of its rows.
      if (databaseFailure(error) !== undefined) throw error
      if (refs.length === 1) return new Map(refs.map((ref) => [ref, UNREADABLE]))
      const read: [string, WrittenText][] = []
      for (const one of refs) read.push(...(await this.readable(kind, [one])))
      return new Map(read)
    }
  }
}

const isRight = ({ state }: AuditedEntry): boolean =>
  state === 'asLogged' || state === 'public' || state === 'forgotten' || state === 'forgottenElsewhere'

const nameOf = ({ kind, ref }: Pick<LogEntry, 'kind' | 'ref'>): string => `${kind} ${ref}`

/** `undefined` for the number of a kind of a later version. */
const kindOf = (number: number): LoggedKind | undefined =>
  Object.keys(LOGGED_KINDS)
    .filter(isKind)
    .find((kind) => LOGGED_KINDS[kind] === number)

const isKind = (name: string): name is LoggedKind => Object.hasOwn(LOGGED_KINDS, name)

/** Why an entry says that another one, of this kind, was forgotten; `undefined` where it says something else. */
function reasonIn(entry: Uint8Array, { origin }: Pick<Log, 'origin'>, index: number, kind: string): string | undefined {
  try {
    const read = readPublicEntry(entry)
    if (read?.kind !== 'forgotten') return undefined
    return read.origin === origin && read.index === index && read.entryKind === kind ? read.reason : undefined
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
