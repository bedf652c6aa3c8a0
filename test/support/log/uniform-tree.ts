import { leafHash, type TreeHead } from '#verifier/log/merkle.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { TILE_WIDTH, type Tile, tileRoot } from '#verifier/log/tiles.js'

/** The leaf of every entry of such trees. */
export const UNIFORM_LEAF: Uint8Array = leafHash(Buffer.from('the same'))

/** A full tile of each level. */
const full: Buffer[] = []
for (let hash: Uint8Array = UNIFORM_LEAF; full.length < 7; ) {
  const tile = Buffer.concat(Array<Uint8Array>(TILE_WIDTH).fill(hash))
  full.push(tile)
  hash = tileRoot(tile)
}

/** A tree of any size whose leaves are all the same, so that nobody has to keep its tiles. */
export const uniformTree = (size: number): TiledTree =>
  new TiledTree(size, async ({ level, width }: Tile) => {
    const tile = full[level]
    if (tile === undefined || width < 1) throw new RangeError('There is no such tile')
    return tile.subarray(0, width * UNIFORM_LEAF.length)
  })

export const uniformHead = async (size: number): Promise<TreeHead> => ({ size, root: await uniformTree(size).root() })
