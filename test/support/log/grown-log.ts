import { type GrownTree, growTree } from '#verifier/log/grow-tree.js'
import { HASH_BYTES, leafHash } from '#verifier/log/merkle.js'
import { tilePath } from '#verifier/log/tile-path.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { TILE_WIDTH, type Tile } from '#verifier/log/tiles.js'
import { entryAt } from './plain-tree.js'

/** A log in memory: the tiles that growing it wrote, by level and index, as wide as they became. */
export class GrownLog {
  readonly tiles = new Map<string, Uint8Array>()
  readonly asked: string[] = []
  tree: GrownTree = { size: 0, root: growTree({ size: 0, edge: [] }, []).root, edge: [], tiles: [] }

  /** Adds entries in several steps. */
  static ofSize(...steps: readonly number[]): GrownLog {
    const log = new GrownLog()
    for (const step of steps) log.add(step)
    return log
  }

  add(count: number): this {
    return this.addLeaves(Array.from({ length: count }, (_, at) => leafHash(entryAt(this.tree.size + at))))
  }

  /** Adds entries by their hashes. */
  addLeaves(leaves: readonly Uint8Array[]): this {
    this.tree = growTree(this.tree, leaves)
    for (const { level, index, hashes } of this.tree.tiles) this.tiles.set(`${level}/${index}`, hashes)
    return this
  }

  /** Reads a tile as a server does that may delete narrower ones. */
  readonly read = async (tile: Tile): Promise<Uint8Array> => {
    this.asked.push(tilePath(tile))
    const hashes = this.tiles.get(`${tile.level}/${tile.index}`)
    if (hashes === undefined || tile.width > TILE_WIDTH) throw new Error('404')
    return hashes.subarray(0, tile.width * HASH_BYTES)
  }

  /** Its tree, or that of an earlier size. */
  tiled(size = this.tree.size): TiledTree {
    return new TiledTree(size, this.read)
  }
}
