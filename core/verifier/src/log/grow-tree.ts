import { isCount } from './decimal.js'
import { edgeRoot } from './edge-root.js'
import { HASH_BYTES, type TreeHead } from './merkle.js'
import { TILE_WIDTH, tileRoot } from './tiles.js'

const TILE_BYTES = TILE_WIDTH * HASH_BYTES

/** What a tree is grown from: its size and the partial tiles of its right edge. */
export interface TreeEdge {
  readonly size: number
  /** Hashes of the partial tile of each level, lowest first; empty where a level has none. */
  readonly edge: readonly Uint8Array[]
}

/** A tile with its hashes. */
export interface GrownTile {
  readonly level: number
  readonly index: number
  readonly hashes: Uint8Array
}

/** A tree after it has grown. */
export interface GrownTree extends TreeEdge, TreeHead {
  /** Tiles that are new or wider than before. */
  readonly tiles: readonly GrownTile[]
}

/** Adds leaves to a tree; throws RangeError where the edge is not of a tree of that size. */
export function growTree({ size, edge }: TreeEdge, leafHashes: readonly Uint8Array[]): GrownTree {
  const grownSize = size + leafHashes.length
  if (!isCount(size) || !isCount(grownSize)) throw new RangeError('A tree has 0 to 2^53 - 1 leaves')
  const grown: Uint8Array[] = []
  const tiles: GrownTile[] = []
  let added = leafHashes
  let complete = size
  for (let level = 0; complete > 0 || added.length > 0; level += 1) {
    const before = edge[level] ?? new Uint8Array()
    if (before.length !== (complete % TILE_WIDTH) * HASH_BYTES) throw new RangeError('The edge is of another tree')
    if (added.some(({ length }) => length !== HASH_BYTES)) throw new RangeError('A hash has 32 octets')
    complete = Math.floor(complete / TILE_WIDTH)
    const { full, partial } = cut(Buffer.concat([before, ...added]))
    for (const [at, hashes] of full.entries()) tiles.push({ level, index: complete + at, hashes })
    if (added.length > 0 && partial.length > 0) tiles.push({ level, index: complete + full.length, hashes: partial })
    grown.push(partial)
    added = full.map(tileRoot)
  }
  if (edge.slice(grown.length).some(({ length }) => length > 0)) throw new RangeError('The edge is of another tree')
  return { size: grownSize, root: edgeRoot(grown), tiles, edge: grown }
}

/** Full tiles, and what is left over. */
function cut(hashes: Uint8Array): { readonly full: readonly Uint8Array[]; readonly partial: Uint8Array } {
  const count = Math.floor(hashes.length / TILE_BYTES)
  const full = Array.from({ length: count }, (_, at) => hashes.subarray(at * TILE_BYTES, (at + 1) * TILE_BYTES))
  // A copy, since the edge lives on and would keep all hashes in memory.
  return { full, partial: Uint8Array.from(hashes.subarray(count * TILE_BYTES)) }
}
