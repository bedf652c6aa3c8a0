import {
  LogTileError,
  leafHash,
  TILE_WIDTH,
  type Tile,
  TiledTree,
  VerifiedTiles,
  widthOfTile,
} from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import type { Log } from './log-store.js'
import { TreeStore } from './tree-store.js'

/** A tree whose root is known, from the log itself or from a checkpoint. */
export interface KnownTree {
  readonly log: number
  readonly size: number
  readonly root: Uint8Array
}

/** Reads trees of logs: whatever is read is checked up to a known root first, so that a lost or changed tile is noticed. */
export class LogTree {
  static readonly inject = { store: TreeStore }
  private last: { readonly tree: KnownTree; readonly tiles: VerifiedTiles; readonly paths: TiledTree } | undefined

  constructor(private readonly use: Injected<typeof LogTree.inject>) {}

  /** The hashes of a tile; throws `LogTileError`. */
  async tile(tree: KnownTree, tile: Tile): Promise<Uint8Array> {
    return this.tilesOf(tree).read(tile)
  }

  /** The entries of a bundle, compared with the tree; throws `LogTileError`. */
  async entries(tree: KnownTree, index: number, width: number): Promise<readonly Uint8Array[]> {
    const entries = await this.use.store.entries(tree.log, index, width)
    const full = widthOfTile(tree.size, 0, index)
    const hashes = Buffer.from(await this.tile(tree, { level: 0, index, width: full }))
    const isWrong = entries.some((entry, at) => hashes.compare(leafHash(entry), 0, 32, at * 32, (at + 1) * 32) !== 0)
    if (isWrong) throw new LogTileError('wrong', { level: 0, index, width })
    return entries
  }

  /** The entries of the last bundle, to which others are added; throws `LogTileError`. */
  async lastEntries(tree: KnownTree): Promise<readonly Uint8Array[]> {
    if (tree.size === 0) return []
    const index = Math.floor((tree.size - 1) / TILE_WIDTH)
    return this.entries(tree, index, widthOfTile(tree.size, 0, index))
  }

  /** The path from an entry to the root; throws `LogTileError`. */
  inclusion(tree: KnownTree, index: number): Promise<Uint8Array[]> {
    return this.treeOf(tree).inclusion(index)
  }

  /** The proof that a tree has grown out of an earlier one; throws `LogTileError`. */
  consistency(tree: KnownTree, oldSize: number): Promise<Uint8Array[]> {
    return this.treeOf(tree).consistency(oldSize)
  }

  /** The root at an earlier size, by the tiles as they are stored; throws `LogTileError` where one is missing. */
  rootAt({ log }: Pick<Log, 'log'>, size: number): Promise<Uint8Array> {
    return new TiledTree(size, (tile) => this.use.store.tile(log, tile)).root()
  }

  private treeOf(tree: KnownTree): TiledTree {
    return this.known(tree).paths
  }

  private tilesOf(tree: KnownTree): VerifiedTiles {
    return this.known(tree).tiles
  }

  private known(tree: KnownTree) {
    const { last } = this
    const isLast =
      last?.tree.log === tree.log && last.tree.size === tree.size && Buffer.compare(last.tree.root, tree.root) === 0
    if (last !== undefined && isLast) return last
    const tiles = new VerifiedTiles(tree, (tile) => this.use.store.tile(tree.log, tile))
    const known = { tree, tiles, paths: new TiledTree(tree.size, (tile) => tiles.read(tile)) }
    this.last = known
    return known
  }
}
