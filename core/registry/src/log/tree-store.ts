import { bundleStart, HASH_BYTES, LogTileError, readBundle, type Tile } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import type { NewRow } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { bundlesTable, tilesTable } from './log-tables.js'

/** A tile as it is stored: the last one of each level grows. */
export interface GrownTile {
  readonly level: number
  readonly index: number
  readonly hashes: Uint8Array
}

/** Entries in the order of the log, as `C2SP tlog-tiles` bundles them. */
export interface GrownBundle {
  readonly index: number
  readonly entries: Uint8Array
}

/** Stores the tiles and entry bundles of logs. What it reads is not checked. */
export class TreeStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof TreeStore.inject>) {}

  /** The first `width` hashes of a tile; throws `LogTileError` where there are fewer. */
  async tile(log: number, { level, index, width }: Tile): Promise<Uint8Array> {
    const [row] = await this.use.database.rows(
      'select hashes from registry_log_tiles where log = ? and level = ? and idx = ?',
      [log, level, index],
    )
    const bytes = row && tilesTable.read(row).hashes
    if (bytes === undefined || bytes.length < width * HASH_BYTES)
      throw new LogTileError('missing', { level, index, width })
    return bytes.subarray(0, width * HASH_BYTES)
  }

  /** The first `width` entries of a bundle; throws `LogTileError` where there are fewer. */
  async entries(log: number, index: number, width: number): Promise<readonly Uint8Array[]> {
    const [row] = await this.use.database.rows('select entries from registry_log_bundles where log = ? and idx = ?', [
      log,
      index,
    ])
    const bytes = row && bundlesTable.read(row).entries
    try {
      if (bytes !== undefined) return readBundle(bundleStart(bytes, width), width)
    } catch (cause) {
      throw new LogTileError('wrong', { level: 0, index, width }, { cause })
    }
    throw new LogTileError('missing', { level: 0, index, width })
  }

  /** Replaces tiles and bundles that have grown, and adds new ones. */
  async save(log: number, tiles: readonly GrownTile[], bundles: readonly GrownBundle[]): Promise<void> {
    await this.replace(
      tilesTable.name,
      tiles.map((tile) => tilesTable.row({ log, ...tile })),
    )
    await this.replace(
      bundlesTable.name,
      bundles.map((bundle) => bundlesTable.row({ log, ...bundle })),
    )
  }

  private async replace(table: string, rows: readonly NewRow[]): Promise<void> {
    // `replace` is the same on both databases, and deletes nothing but the row of the same key.
    for (const row of rows) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      await this.use.database.query.raw(
        `replace into ${table} (${columns.join(', ')}) values (${places})`,
        Object.values(row),
      )
    }
  }
}
