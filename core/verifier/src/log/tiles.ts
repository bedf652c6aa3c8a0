import { isCount } from './decimal.js'
import { HASH_BYTES, perfectRoot } from './merkle.js'

/** Hashes of a full tile, entries of a full bundle. */
export const TILE_WIDTH = 256

/** Where hashes of a tree stand next to each other (C2SP tlog-tiles). */
export interface Tile {
  /** 0: leaf hashes; above: roots of full tiles below. */
  readonly level: number
  readonly index: number
  /** Number of its hashes, at most 256. */
  readonly width: number
}

/** How many hashes a tile has in a tree of this size: 256 where it is full, 0 where there is none. */
export function widthOfTile(size: number, level: number, index: number): number {
  if (![size, level, index].every(isCount)) return 0
  const hashes = Math.floor(size / TILE_WIDTH ** level)
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** Root of a full tile, which stands for it in the tile above. */
export function tileRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length !== TILE_WIDTH * HASH_BYTES) throw new RangeError('A full tile has 256 hashes')
  return perfectRoot(hashes)
}
