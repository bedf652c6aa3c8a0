import { expect } from 'chai'
import { EMPTY_ROOT } from '#verifier/log/merkle.js'
import { LogTileError } from '#verifier/log/tile-error.js'
import { tilePath } from '#verifier/log/tile-path.js'
import { type ReadTile, TiledTree } from '#verifier/log/tiled-tree.js'
import { type Tile, widthOfTile } from '#verifier/log/tiles.js'
import { VerifiedTiles } from '#verifier/log/verified-tiles.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { PlainTree } from '../../support/log/plain-tree.js'

/** Three levels: 258 full tiles and a partial one of leaves, one full and one partial above them, and one above these. */
const SIZE = 66_100
const log = GrownLog.ofSize(SIZE)
const plain = new PlainTree()

const tileAt = (level: number, index: number): Tile => ({ level, index, width: widthOfTile(SIZE, level, index) })
const verified = (read: ReadTile = log.read, root = log.tree.root) => new VerifiedTiles({ size: SIZE, root }, read)

/** Reads the log, but for one tile that has another bit. */
const withWrong =
  (wrong: Tile): ReadTile =>
  async (tile) => {
    const hashes = Buffer.from(await log.read(tile))
    if (tilePath(tile) === tilePath(wrong))
      hashes.writeUInt8(hashes.readUInt8(40 % hashes.length) ^ 1, 40 % hashes.length)
    return hashes
  }

/** `read`, or why and of which tile it was refused. */
async function outcome(tiles: VerifiedTiles, tile: Tile): Promise<string> {
  try {
    await tiles.read(tile)
    return 'read'
  } catch (error) {
    if (error instanceof LogTileError) return `${error.reason} ${tilePath(error.tile)}`
    if (error instanceof Error) return error.message
    throw error
  }
}

describe('tiles that are checked up to the root', () => {
  const places: Tile[] = [
    tileAt(0, 0),
    tileAt(0, 255),
    tileAt(0, 256),
    tileAt(0, 258),
    tileAt(1, 0),
    tileAt(1, 1),
    tileAt(2, 0),
  ]

  it('are those of the tree', async () => {
    const tiles = verified()
    for (const tile of places)
      expect(Buffer.from(await tiles.read(tile)), tilePath(tile)).to.deep.equal(Buffer.from(await log.read(tile)))
  })

  for (const wrong of places) {
    it(`are refused where ${tilePath(wrong)} is another`, async () => {
      expect(await outcome(verified(withWrong(wrong)), wrong)).to.match(/^wrong /)
    })
    it(`are refused where ${tilePath(wrong)} is shorter or longer`, async () => {
      for (const by of [-32, -1, 1, 32]) {
        const read: ReadTile = async (tile) => {
          const hashes = await log.read(tile)
          if (tilePath(tile) !== tilePath(wrong)) return hashes
          return Buffer.concat([hashes, Buffer.alloc(32)]).subarray(0, hashes.length + by)
        }
        expect(await outcome(verified(read), wrong)).to.equal(`wrong ${tilePath(wrong)}`)
      }
    })
    it(`are refused where ${tilePath(wrong)} is missing`, async () => {
      const read: ReadTile = (tile) =>
        tilePath(tile) === tilePath(wrong) ? Promise.reject(new LogTileError('missing', tile)) : log.read(tile)
      expect(await outcome(verified(read), wrong)).to.equal(`missing ${tilePath(wrong)}`)
    })
  }

  it('are refused below one that is another, and read beside it', async () => {
    const tiles = verified(withWrong(tileAt(1, 0)))
    expect(await outcome(tiles, tileAt(0, 7))).to.equal('wrong 1/000')
    expect(await outcome(tiles, tileAt(0, 256))).to.equal('read')
  })

  it('are refused under another root', async () => {
    for (const tile of places) expect(await outcome(verified(log.read, EMPTY_ROOT), tile)).to.equal('wrong 0/258.p/52')
  })

  it('are of no use for a tree of another size with the same edge', async () => {
    const tiles = new VerifiedTiles({ size: SIZE + 1, root: log.tree.root }, log.read)
    expect(await outcome(tiles, { level: 0, index: 258, width: 53 })).to.match(/^(wrong|missing) /)
  })

  it('are not read outside of the tree', async () => {
    log.asked.length = 0
    for (const tile of [
      { level: 0, index: 259, width: 1 },
      { level: 0, index: 258, width: 53 },
      { level: 3, index: 0, width: 1 },
      { level: 0, index: 0, width: 0 },
      { level: 0, index: 0, width: 257 },
      { level: 0, index: -1, width: 1 },
      { level: -1, index: 0, width: 1 },
      { level: 0, index: 0.5, width: 1 },
    ])
      expect(await outcome(verified(), tile)).to.equal(`missing ${tilePath(tile)}`)
    const none = new VerifiedTiles({ size: 0, root: EMPTY_ROOT }, log.read)
    expect(await outcome(none, { level: 0, index: 0, width: 1 })).to.equal('missing 0/000.p/1')
    expect(log.asked).to.deep.equal([])
  })

  it('stay as they were checked, whatever the reader does to its buffer', async () => {
    const given: Buffer[] = []
    const tiles = verified(async (tile) => {
      const hashes = Buffer.from(await log.read(tile))
      given.push(hashes)
      return hashes
    })
    for (const tile of places) await tiles.read(tile)
    for (const hashes of given) hashes.fill(0)
    for (const tile of places)
      expect(Buffer.from(await tiles.read(tile))).to.deep.equal(Buffer.from(await log.read(tile)))
  })

  it('are read once, also when many ask at the same time', async () => {
    const tiles = verified()
    log.asked.length = 0
    await Promise.all([...places, ...places, tileAt(0, 1)].map((tile) => tiles.read(tile)))
    for (const tile of places) await tiles.read(tile)
    expect(log.asked).to.have.members([...places, tileAt(0, 1)].map(tilePath))
  })

  it('are asked for again after they could not be read', async () => {
    for (const tile of places) {
      let isBroken = true
      const tiles = verified((one) => (isBroken ? Promise.reject(new Error('the database is busy')) : log.read(one)))
      expect(await outcome(tiles, tile), 'not as a broken log').to.equal('the database is busy')
      isBroken = false
      expect(await outcome(tiles, tile)).to.equal('read')
    }
  })

  it('are refused where reading fails at once', async () => {
    const tiles = verified(() => {
      throw new Error('not even a promise')
    })
    expect(await outcome(tiles, tileAt(0, 0))).to.equal('not even a promise')
  })

  it('give the proofs of the tree, and of earlier ones', async () => {
    const { read } = verified()
    const tree = new TiledTree(SIZE, read)
    const copies = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash))
    expect(copies(await tree.inclusion(65_600))).to.deep.equal(plain.path(65_600, SIZE))
    expect(copies(await tree.consistency(300))).to.deep.equal(plain.consistency(300, SIZE))
    expect(Buffer.from(await new TiledTree(65_700, read).root())).to.deep.equal(plain.root(65_700))
    expect(copies(await new TiledTree(300, read).inclusion(299))).to.deep.equal(plain.path(299, 300))
  })
})
