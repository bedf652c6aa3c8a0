import {
  type Checkpoint,
  EMPTY_ROOT,
  growTree,
  LogTileError,
  leafHash,
  publicEntry,
  TILE_WIDTH,
  widthOfTile,
  writeBundle,
} from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import type { Stored } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore } from './checkpoint-store.js'
import { ADVICE, type Halt } from './halt.js'
import { HighWaterMark } from './high-water-mark.js'
import { type Log, LogStore } from './log-store.js'
import { entriesTable, pendingTable } from './log-tables.js'
import { LOGGED_KINDS } from './logged-facts.js'
import { treeOf } from './prove-entry.js'
import { PublishCheckpoint } from './publish-checkpoint.js'
import { TreeStore } from './tree-store.js'

/** A log that took the place of another. */
export interface Succession {
  readonly ended: string
  readonly origin: string
  /** Size of the last checkpoint of the ended log that is known. */
  readonly size: number
  /** Entries that no checkpoint of the ended log covers, which the new one takes over. */
  readonly moved: number
  /** Such entries that could not be read. */
  readonly lost: number
}

/** Reasons that a log cannot go on for, whatever the operator does, except by another database or another key. */
const FINAL: ReadonlySet<Halt> = new Set<Halt>([
  'otherKey',
  'databaseOlder',
  'otherTree',
  'treeBroken',
  'foreignMark',
  'witnessAhead',
  'witnessDisagrees',
])
const ROWS_AT_ONCE = 500

/** How refs of entries about the stamps of a log begin: they are of its checkpoints, and mean nothing in another log. */
const stampsOf = (log: number): string => `stamp ${log} `

type BegunLog = Parameters<LogStore['add']>[0]
type Pending = Omit<Stored<typeof pendingTable>, 'id'>

/**
 * Ends a log that can be signed no more, and begins one whose first entry names the last checkpoint of it; further entries name
 * those of logs that the database has lost.
 */
export class SucceedLog {
  static readonly inject = {
    database: Database,
    logs: LogStore,
    checkpoints: CheckpointStore,
    marks: HighWaterMark,
    store: TreeStore,
    publish: PublishCheckpoint,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof SucceedLog.inject>) {}

  /** Rejects with a `TypeError` where the log can go on. */
  async run(): Promise<Succession> {
    const { logs, publish, database } = this.use
    const old = await logs.current()
    const halt = old && (await publish.halt(old))
    if (old === undefined) throw new TypeError('This registry has not begun a log yet')
    if (halt === undefined) throw new TypeError('The log can be signed: it goes on as it is')
    if (!FINAL.has(halt)) throw new TypeError(`The log is not signed for another reason (${halt}), and can go on`)
    const unknown = await this.unknown(old.log)
    const last = await this.last(old)
    // A log that began over an older database than its host has signed was never signed itself.
    const [ended = last, ...others] = last.size === 0 ? unknown : [last, ...unknown]
    const { entries, lost } = await this.uncovered(old)
    const { name, origin } = logs.successor()
    const endedAt = this.use.clock.now()
    await database.transaction(async () => {
      if (!(await logs.moveOn(old, { endedAt }))) throw new TypeError('The log is moved on just now: try again')
      for (const one of unknown) await this.add(one, endedAt)
      await this.begin({ log: old.log + unknown.length + 1, name, origin }, [ended, ...others])
      await this.takeOver(old, entries)
    })
    return { ended: ended.origin, origin, size: ended.size, moved: entries.length, lost }
  }

  /** Logs that this host has signed, and that the database does not know; numbered after the log that it knows. */
  private async unknown(known: number): Promise<BegunLog[]> {
    const names = await this.use.logs.unknown(this.use.marks.names())
    const lost = names.flatMap((name) => {
      const mark = this.mark(name)
      return mark === undefined ? [] : [{ ...mark, name }]
    })
    return lost.map((one, at) => ({ ...one, log: known + 1 + at }))
  }

  private mark(name: string): Checkpoint | undefined {
    try {
      return this.use.marks.of(name)
    } catch (cause) {
      throw new TypeError(`log-${name}.checkpoint cannot be read: ${ADVICE.markUnreadable}`, { cause })
    }
  }

  /** The last checkpoint that was signed, which a restored database may not have. */
  private async last({ log, name, origin }: Log): Promise<Checkpoint> {
    const newest = await this.use.checkpoints.newest(log)
    const mark = this.mark(name)
    if (mark !== undefined && mark.size >= (newest?.size ?? 0)) return { ...mark, origin }
    return { size: 0, root: EMPTY_ROOT, ...(newest && treeOf(newest)), origin }
  }

  private async begin(begun: Pick<Log, 'log' | 'name' | 'origin'>, followed: readonly Checkpoint[]): Promise<void> {
    const { store, database } = this.use
    const { log } = begun
    const entries = followed.map(({ origin, size, root }) => publicEntry({ kind: 'succession', origin, size, root }))
    const grown = growTree({ size: 0, edge: [] }, entries.map(leafHash))
    await this.add({ ...begun, size: grown.size, root: grown.root })
    await store.save(log, grown.tiles, [{ index: 0, entries: writeBundle(entries) }])
    const row = { log, kind: LOGGED_KINDS.public, ref: `succession ${log}`, salt: undefined }
    await database.insert(
      entriesTable.name,
      entries.map((_, index) => entriesTable.row({ ...row, index })),
    )
  }

  private async add(begun: BegunLog, endedAt?: number): Promise<void> {
    if (!(await this.use.logs.add(begun, endedAt))) throw new TypeError('Another command has begun a log just now')
  }

  private async takeOver({ log }: Log, entries: readonly (Pending & { readonly index: number })[]): Promise<void> {
    const { database } = this.use
    await database
      .query(pendingTable.name)
      .where('ref', 'like', `${stampsOf(log)}%`)
      .delete()
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      const some = entries.slice(from, from + ROWS_AT_ONCE)
      const rows = some.map(({ kind, ref, salt, entry }) => pendingTable.row({ kind, ref, salt, entry }))
      await database.insert(pendingTable.name, rows)
      const indices = some.map(({ index }) => index)
      await database.query(entriesTable.name).where(entriesTable.row({ log })).whereIn('idx', indices).delete()
    }
  }

  /** Entries in the tree of a log that none of its checkpoints covers. */
  private async uncovered({ log, size }: Log) {
    const covered = (await this.use.checkpoints.newest(log))?.size ?? 0
    const entries: (Pending & { readonly index: number })[] = []
    let lost = 0
    for (let bundle = Math.floor(covered / TILE_WIDTH); bundle * TILE_WIDTH < size; bundle += 1) {
      const bytes = await this.bundle(log, bundle, widthOfTile(size, 0, bundle))
      for (const { index, kind, ref, salt } of await this.rows(log, bundle, covered)) {
        if (ref.startsWith(stampsOf(log))) continue
        const entry = bytes?.[index - bundle * TILE_WIDTH]
        if (entry === undefined) lost += 1
        else entries.push({ index, kind, ref, salt, entry })
      }
    }
    return { entries, lost }
  }

  private async bundle(log: number, index: number, width: number): Promise<readonly Uint8Array[] | undefined> {
    try {
      return await this.use.store.entries(log, index, width)
    } catch (error) {
      if (error instanceof LogTileError) return undefined
      throw error
    }
  }

  private async rows(log: number, bundle: number, covered: number) {
    const from = Math.max(covered, bundle * TILE_WIDTH)
    const rows = await this.use.database.rows(
      `select ${entriesTable.columns.join(', ')} from registry_log_entries where log = ? and idx >= ? and idx < ? order by idx`,
      [log, from, (bundle + 1) * TILE_WIDTH],
    )
    return rows.map((row) => entriesTable.read(row))
  }
}
