import { RecentMap } from '../recent.js'
import { isCount } from './decimal.js'
import { edgeRoot } from './edge-root.js'
import { HASH_BYTES, type TreeHead } from './merkle.js'
import { LogTileError } from './tile-error.js'
import type { ReadTile } from './tiled-tree.js'
import { TILE_WIDTH, type Tile, tileRoot, widthOfTile } from './tiles.js'

/** Up to 8 MiB of tiles. */
const MAX_TILES = 1024

/**
 * Tiles of a tree whose root is known, each checked up to the root: a full tile by its hash in the tile above, those of
 * the right edge all at once. What was checked is kept for a while.
 */
export class VerifiedTiles {
  private readonly checked = new RecentMap<string, Uint8Array>(MAX_TILES)
  private readonly underWay = new Map<string, Promise<Uint8Array>>()
  private edge: Promise<readonly Uint8Array[]> | undefined

  constructor(
    private readonly tree: TreeHead,
    private readonly readTile: ReadTile,
  ) {
    if (!isCount(tree.size)) throw new RangeError('A tree has 0 to 2^53 - 1 leaves')
  }

  /** The hashes of a tile; of a tile of an earlier tree, those that it had. Rejects with `LogTileError`, and as reading does. */
  readonly read = async (tile: Tile): Promise<Uint8Array> => {
    const { level, index, width } = tile
    const own = widthOfTile(this.tree.size, level, index)
    if (width < 1 || width > own) throw new LogTileError('missing', tile)
    const hashes = await (own === TILE_WIDTH ? this.full({ level, index, width: own }) : this.partial(level))
    return hashes.subarray(0, width * HASH_BYTES)
  }

  private async full(tile: Tile): Promise<Uint8Array> {
    const key = `${tile.level}/${tile.index}`
    const found = this.checked.get(key) ?? this.underWay.get(key)
    if (found !== undefined) return found
    const check = this.checkFull(tile)
    this.underWay.set(key, check)
    try {
      const hashes = await check
      this.checked.set(key, hashes)
      return hashes
    } finally {
      this.underWay.delete(key)
    }
  }

  private async checkFull(tile: Tile): Promise<Uint8Array> {
    const level = tile.level + 1
    const index = Math.floor(tile.index / TILE_WIDTH)
    const above = { level, index, width: widthOfTile(this.tree.size, level, index) }
    const [hashes, parent] = await Promise.all([this.fetch(tile), this.read(above)])
    const at = (tile.index % TILE_WIDTH) * HASH_BYTES
    if (Buffer.compare(tileRoot(hashes), parent.subarray(at, at + HASH_BYTES)) !== 0)
      throw new LogTileError('wrong', tile)
    return hashes
  }

  private async partial(level: number): Promise<Uint8Array> {
    this.edge ??= this.checkEdge()
    const edge = this.edge
    try {
      return (await edge)[level] ?? new Uint8Array()
    } catch (error) {
      // What could not be read now may be readable later.
      if (this.edge === edge) this.edge = undefined
      throw error
    }
  }

  private async checkEdge(): Promise<readonly Uint8Array[]> {
    const { size, root } = this.tree
    const tiles: Tile[] = []
    for (let level = 0, complete = size; complete > 0; level += 1) {
      const index = Math.floor(complete / TILE_WIDTH)
      tiles.push({ level, index, width: complete % TILE_WIDTH })
      complete = index
    }
    const edge = await Promise.all(tiles.map(async (tile) => (tile.width === 0 ? new Uint8Array() : this.fetch(tile))))
    const lowest = tiles.find(({ width }) => width > 0)
    if (lowest !== undefined && Buffer.compare(edgeRoot(edge), root) !== 0) throw new LogTileError('wrong', lowest)
    return edge
  }

  private async fetch(tile: Tile): Promise<Uint8Array> {
    const hashes = await this.readTile(tile)
    if (hashes.length !== tile.width * HASH_BYTES) throw new LogTileError('wrong', tile)
    // A copy, which nobody changes after it is checked, and which keeps no larger buffer in memory.
    return Uint8Array.from(hashes)
  }
}
