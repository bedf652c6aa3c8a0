import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import type { Row, Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { checkpointsTable } from './log-tables.js'

/** A checkpoint as it was published, and the time stamp over it if there is one. */
export type PublishedCheckpoint = Stored<typeof checkpointsTable>

const COLUMNS = checkpointsTable.columns.join(', ')

/** Stores published checkpoints. Stamped ones stay for ever; of the others those after the last stamped one. */
export class CheckpointStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof CheckpointStore.inject>) {}

  /** Adds one; false where another host has published this size already. */
  async add({ log, size, note, signedAt }: Omit<PublishedCheckpoint, 'stamp' | 'stampedAt'>): Promise<boolean> {
    const row = checkpointsTable.row({ log, size, note, signedAt, stamp: undefined, stampedAt: undefined })
    return insertOrLose(this.checkpoints().insert(row))
  }

  /** The largest of a log. */
  newest(log: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? order by size desc', [log])
  }

  /** The largest that is stamped. */
  newestStamped(log: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and stamped_at is not null order by size desc', [log])
  }

  async of(log: number, size: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and size = ?', [log, size])
  }

  /** The first that covers an entry: a stamped one where there is one, as it proves when. */
  async covering(log: number, index: number): Promise<PublishedCheckpoint | undefined> {
    const stamped = await this.first('log = ? and size > ? and stamped_at is not null order by size', [log, index])
    return stamped ?? this.first('log = ? and size > ? order by size', [log, index])
  }

  /** The last stamped one that does not cover an entry: it was logged later. */
  before(log: number, index: number): Promise<PublishedCheckpoint | undefined> {
    return this.first('log = ? and size <= ? and stamped_at is not null order by size desc', [log, index])
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

  private async first(which: string, bindings: readonly number[]): Promise<PublishedCheckpoint | undefined> {
    const sql = `select ${COLUMNS} from registry_log_checkpoints where ${which} limit 1`
    const [row]: Row[] = await this.use.database.rows(sql, bindings)
    return row && checkpointsTable.read(row)
  }

  private checkpoints() {
    return this.use.database.query(checkpointsTable.name)
  }
}
