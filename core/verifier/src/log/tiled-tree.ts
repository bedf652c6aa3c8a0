import { isCount } from './decimal.js'
import { EMPTY_ROOT, HASH_BYTES, nodeHash, perfectRoot } from './merkle.js'
import { LogTileError } from './tile-error.js'
import { TILE_WIDTH, type Tile, widthOfTile } from './tiles.js'

/** Reads the hashes of a tile, `width` times 32 octets; rejects if it cannot. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>

/** Leaves from one index up to another. */
interface Range {
  readonly start: number
  readonly end: number
}

/** Hashes over ranges that are remembered: entries that stand together share most of their paths. */
const MAX_KNOWN = 4096

/** Root and proofs of a tree that is stored in tiles; for each of them, a tile is read at most once, and none is checked. */
export class TiledTree {
  private readonly known = new Map<string, Promise<Uint8Array>>()

  constructor(
    readonly size: number,
    private readonly read: ReadTile,
  ) {
    if (!isCount(size)) throw new RangeError('A tree has 0 to 2^53 - 1 leaves')
  }

  /** The root hash (RFC 6962, 2.1). */
  async root(): Promise<Uint8Array> {
    return this.size === 0 ? EMPTY_ROOT : rangeHash({ start: 0, end: this.size }, this.tiles())
  }

  /** The proof that a leaf is in the tree (RFC 6962, 2.1.1), its sibling first. */
  async inclusion(index: number): Promise<Uint8Array[]> {
    if (!isCount(index) || index >= this.size) throw new RangeError('There is no such leaf')
    const ranges: Range[] = []
    let range = { start: 0, end: this.size }
    while (range.end - range.start > 1) {
      const [left, right] = halves(range)
      const inLeft = index < left.end
      ranges.push(inLeft ? right : left)
      range = inLeft ? left : right
    }
    return this.hashes(ranges.reverse())
  }

  /** The proof that the tree begins with one of this size (RFC 6962, 2.1.2); empty for none and for all leaves. */
  async consistency(oldSize: number): Promise<Uint8Array[]> {
    if (!isCount(oldSize) || oldSize > this.size) throw new RangeError('The tree has fewer leaves')
    if (oldSize === 0) return []
    const ranges: Range[] = []
    let range = { start: 0, end: this.size }
    while (range.end !== oldSize) {
      const [left, right] = halves(range)
      const inLeft = oldSize <= left.end
      ranges.push(inLeft ? right : left)
      range = inLeft ? left : right
    }
    // The verifier has the root of the older tree; any other subtree that it ends with is told.
    if (range.start !== 0) ranges.push(range)
    return this.hashes(ranges.reverse())
  }

  private hashes(ranges: readonly Range[]): Promise<Uint8Array[]> {
    const tileAt = this.tiles()
    if (this.known.size > MAX_KNOWN) this.known.clear()
    return Promise.all(ranges.map((range) => this.rangeHash(range, tileAt)))
  }

  private rangeHash(range: Range, tileAt: TileAt): Promise<Uint8Array> {
    const key = `${range.start}/${range.end}`
    const found = this.known.get(key) ?? rangeHash(range, tileAt)
    this.known.set(key, found)
    // What could not be read is read again.
    found.catch(() => this.known.delete(key))
    return found
  }

  /** Tiles, each of them read when it is first asked for. */
  private tiles(): TileAt {
    const known = new Map<string, Promise<Uint8Array>>()
    return (level, index) => {
      const key = `${level}/${index}`
      const found = known.get(key) ?? this.tile({ level, index, width: widthOfTile(this.size, level, index) })
      known.set(key, found)
      return found
    }
  }

  private async tile(tile: Tile): Promise<Uint8Array> {
    const hashes = await this.read(tile)
    if (hashes.length !== tile.width * HASH_BYTES) throw new LogTileError('wrong', tile)
    return hashes
  }
}

type TileAt = (level: number, index: number) => Promise<Uint8Array>

/** The hash over a range of leaves, as RFC 6962 divides a tree. */
async function rangeHash(range: Range, tileAt: TileAt): Promise<Uint8Array> {
  const leaves = range.end - range.start
  if (leaves > 1 && largestPowerBelow(leaves) * 2 !== leaves) {
    const [left, right] = halves(range)
    return nodeHash(...(await Promise.all([rangeHash(left, tileAt), rangeHash(right, tileAt)])))
  }
  let level = 0
  let width = leaves
  while (width >= TILE_WIDTH) {
    width /= TILE_WIDTH
    level += 1
  }
  const first = range.start / TILE_WIDTH ** level
  const hashes = await tileAt(level, Math.floor(first / TILE_WIDTH))
  const from = (first % TILE_WIDTH) * HASH_BYTES
  return perfectRoot(hashes.subarray(from, from + width * HASH_BYTES))
}

/** A range of two or more leaves in the two that its node is hashed from. */
function halves({ start, end }: Range): [Range, Range] {
  const middle = start + largestPowerBelow(end - start)
  return [
    { start, end: middle },
    { start: middle, end },
  ]
}

/** The largest power of two below a number above 1. */
function largestPowerBelow(leaves: number): number {
  let power = 1
  while (power * 2 < leaves) power *= 2
  return power
}
