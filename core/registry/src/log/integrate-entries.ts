import { growTree, LogTileError, leafHash, TILE_WIDTH, widthOfTile, writeBundle } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import type { Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { type Log, LogStore } from './log-store.js'
import { entriesTable, pendingTable } from './log-tables.js'
import { type GrownBundle, TreeStore } from './tree-store.js'

/** Entries in one transaction: few enough not to hold up registrations for long. */
const ENTRIES_AT_ONCE = 512

type Pending = Stored<typeof pendingTable>

/** Another host has moved the log on meanwhile, or forgot an entry: nothing was done. */
class LostRace extends Error {}

/** Moves pending entries into the tree. */
export class IntegrateEntries {
  static readonly inject = { database: Database, logs: LogStore, tree: TreeStore }

  constructor(private readonly use: Injected<typeof IntegrateEntries.inject>) {}

  /**
   * Moves the oldest entries into the tree of a log, all or none: of several hosts that try, one does. `turn` is stored along.
   * Answers the log as it is then, the same one where there was nothing to do, and `undefined` where another host was faster.
   */
  async run(log: Log, turn: Pick<Log, 'holder' | 'heldUntil'>): Promise<Log | undefined> {
    const pending = await this.pending()
    if (pending.length === 0) return log
    const leaves = pending.map(({ entry }) => leafHash(entry))
    const grown = growTree({ size: log.size, edge: await this.edge(log) }, leaves)
    const bundles = await this.bundles(log, pending)
    const moved = { ...log, ...turn, size: grown.size, root: grown.root }
    try {
      await this.use.database.transaction(async () => {
        const { size, root } = grown
        if (!(await this.use.logs.moveOn(log, { ...turn, size, root }))) throw new LostRace()
        await this.take(pending)
        await this.use.tree.save(log.log, grown.tiles, bundles)
        await this.use.database.insert(
          entriesTable.name,
          pending.map(({ kind, ref, salt }, at) =>
            entriesTable.row({ log: log.log, index: log.size + at, kind, ref, salt }),
          ),
        )
      })
      return moved
    } catch (error) {
      if (error instanceof LostRace) return undefined
      throw error
    }
  }

  private async pending(): Promise<Pending[]> {
    const rows = await this.use.database.rows(
      `select ${pendingTable.columns.join(', ')} from registry_log_pending order by id limit ${ENTRIES_AT_ONCE}`,
      [],
    )
    return rows.map((row) => pendingTable.read(row))
  }

  private async take(pending: readonly Pending[]): Promise<void> {
    const ids = pending.map(({ id }) => id)
    const taken = await this.use.database.query(pendingTable.name).whereIn('id', ids).delete()
    if (Number(taken) !== pending.length) throw new LostRace()
  }

  /** The partial tiles at the right edge of the tree, from the leaves up. Rejects with `LogTileError` where they are not as the root says. */
  private async edge({ log, size, root }: Log): Promise<Uint8Array[]> {
    const edge: Uint8Array[] = []
    for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
      const index = Math.floor(size / TILE_WIDTH ** (level + 1))
      const width = widthOfTile(size, level, index)
      edge.push(width === 0 ? new Uint8Array() : await this.use.tree.tile(log, { level, index, width }))
    }
    // What grows out of a changed tile could not be mended any more.
    if (Buffer.compare(growTree({ size, edge }, []).root, root) !== 0)
      throw new LogTileError('wrong', { level: 0, index: Math.floor(size / TILE_WIDTH), width: size % TILE_WIDTH })
    return edge
  }

  private async bundles({ log, size }: Log, pending: readonly Pending[]): Promise<GrownBundle[]> {
    const first = Math.floor(size / TILE_WIDTH)
    const known = size % TILE_WIDTH === 0 ? [] : await this.use.tree.entries(log, first, size % TILE_WIDTH)
    const entries = [...known, ...pending.map(({ entry }) => entry)]
    const bundles: GrownBundle[] = []
    for (let at = 0; at < entries.length; at += TILE_WIDTH)
      bundles.push({ index: first + at / TILE_WIDTH, entries: writeBundle(entries.slice(at, at + TILE_WIDTH)) })
    return bundles
  }
}
