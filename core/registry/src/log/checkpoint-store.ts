import { Database } from '../database/database.js'
import type { Row, Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { checkpointsTable } from './log-tables.js'

/** A checkpoint as it was published, and the time stamp over it if there is one. */
export type PublishedCheckpoint = Stored<typeof checkpointsTable>

const HOUR_MS = 60 * 60_000
const ROWS_AT_ONCE = 500
const COLUMNS = checkpointsTable.columns.join(', ')

/** Stores published checkpoints. Stamped ones stay for ever; of the others those after the last stamped one. */
export class CheckpointStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof CheckpointStore.inject>) {}

  /** Adds one, in the transaction that moves the published size of its log on. */
  async add({ log, size, note, signedAt }: Omit<PublishedCheckpoint, 'stamp' | 'stampedAt'>): Promise<void> {
    const row = checkpointsTable.row({ log, size, note, signedAt, stamp: undefined, stampedAt: undefined })
    await this.use.database.insert(checkpointsTable.name, [row])
  }

  /** The largest of a log. */
  newest(log: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? order by size desc', [log])
  }

  /** The largest that is stamped. */
  newestStamped(log: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and stamped_at > 0 order by stamped_at desc', [log])
  }

  /** The first that was stamped at a time (ms) or later. */
  stampedFrom(log: number, time: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and stamped_at >= ? order by stamped_at', [log, time])
  }

  async of(log: number, size: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and size = ?', [log, size])
  }

  /**
   * The one that proves an entry: the first stamped one that is `enough`; where there is none the first stamped one, as it
   * proves when, or else the first. Of those that are not enough few are read: each time twice as far on.
   */
  async covering(
    log: number,
    index: number,
    enough: (note: string) => boolean,
  ): Promise<PublishedCheckpoint | undefined> {
    const stamped = await this.first('log = ? and size > ? and stamped_at is not null order by size', [log, index])
    let found = stamped
    for (let step = 0; found?.stampedAt !== undefined; step = 2 * step + HOUR_MS / 2) {
      if (enough(found.note)) return found
      const after = found.stampedAt + step
      found = await this.first('log = ? and size > ? and stamped_at > ? order by stamped_at', [log, index, after])
    }
    return stamped ?? this.first('log = ? and size > ? order by size', [log, index])
  }

  /** Adds cosignatures to one that is not stamped; false where it has changed meanwhile. */
  async cosign({ log, size, note }: PublishedCheckpoint, cosigned: string): Promise<boolean> {
    const changed = await this.checkpoints()
      .where(checkpointsTable.row({ log, size, note }))
      .whereNull('stamped_at')
      .update(checkpointsTable.row({ note: cosigned }))
    return Number(changed) === 1
  }

  /** Keeps the time stamp over the note of one; false where the note has changed, or is stamped already. */
  async stamp({ log, size, note }: PublishedCheckpoint, stamp: Uint8Array, stampedAt: number): Promise<boolean> {
    const changed = await this.checkpoints()
      .where(checkpointsTable.row({ log, size, note }))
      .whereNull('stamped_at')
      .update(checkpointsTable.row({ stamp, stampedAt }))
    return Number(changed) === 1
  }

  /** Deletes those before a stamped one that are not stamped: it covers all that they cover. */
  async prune(log: number, stampedSize: number): Promise<void> {
    await this.checkpoints()
      .where(checkpointsTable.row({ log }))
      .andWhere('size', '<', stampedSize)
      .whereNull('stamped_at')
      .delete()
  }

  /** Of those that were not stamped before a moment, keeps the last of each hour: no authority may ever stamp one. */
  async thin(log: number, before: number): Promise<void> {
    const old = await this.use.database.rows(
      'select size, signed_at from registry_log_checkpoints where log = ? and signed_at < ? and stamped_at is null order by size',
      [log, before],
    )
    const hours = old.map((row) => Math.floor(checkpointsTable.read(row).signedAt / HOUR_MS))
    const sizes = old.filter((_, at) => hours[at] === hours[at + 1]).map((row) => checkpointsTable.read(row).size)
    for (let at = 0; at < sizes.length; at += ROWS_AT_ONCE)
      await this.checkpoints()
        .where(checkpointsTable.row({ log }))
        .whereIn('size', sizes.slice(at, at + ROWS_AT_ONCE))
        .whereNull('stamped_at')
        .delete()
  }

  private async first(which: string, bindings: readonly number[]): Promise<PublishedCheckpoint | undefined> {
    const sql = `select ${COLUMNS} from registry_log_checkpoints where ${which} limit 1`
    const [row]: Row[] = await this.use.database.rows(sql, bindings)
    return row && checkpointsTable.read(row)
  }

  private checkpoints() {
    return this.use.database.query(checkpointsTable.name)
  }
}
