import { expect } from 'chai'
import { EMPTY_ROOT } from '#verifier/log/merkle.js'
import { LogTileError } from '#verifier/log/tile-error.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { PlainTree } from '../../support/log/plain-tree.js'
import { uniformTree } from '../../support/log/uniform-tree.js'

const plain = new PlainTree()
const copies = (hashes: readonly Uint8Array[]): Buffer[] => hashes.map((hash) => Buffer.from(hash))

/** The first, the last, and those around what divides a tree. */
const placesIn = (size: number): number[] =>
  [0, 1, 2, 127, 254, 255, 256, 257, 511, 512, size - 2, size - 1].filter((place) => place >= 0 && place < size)

describe('trees in tiles (C2SP tlog-tiles)', () => {
  const log = GrownLog.ofSize(700)

  it('have the roots and the proofs of RFC 6962', async () => {
    for (const size of [1, 2, 3, 7, 8, 127, 128, 255, 256, 257, 383, 511, 512, 513, 699, 700]) {
      const tree = log.tiled(size)
      expect(Buffer.from(await tree.root())).to.deep.equal(plain.root(size))
      for (const place of placesIn(size)) {
        expect(copies(await tree.inclusion(place)), `${place} in ${size}`).to.deep.equal(plain.path(place, size))
        const proof = copies(await tree.consistency(place + 1))
        expect(proof, `${place + 1} in ${size}`).to.deep.equal(plain.consistency(place + 1, size))
      }
    }
  })

  it('have the root of the empty tree, which every tree begins with', async () => {
    expect(await new TiledTree(0, log.read).root()).to.equal(EMPTY_ROOT)
    expect(await log.tiled().consistency(0)).to.deep.equal([])
    expect(await log.tiled(0).consistency(0)).to.deep.equal([])
  })

  it('ask for tiles as wide as they are in a tree of that size', async () => {
    log.asked.length = 0
    await log.tiled(600).inclusion(0)
    expect(log.asked).to.have.members(['0/000', '1/000.p/2', '0/002.p/88'])
  })

  it('read at most five tiles for a proof in a tree of ten million, each of them once', async () => {
    const asked: string[] = []
    const tree = new TiledTree(9_999_999, async ({ level, index, width }) => {
      asked.push(`${level}/${index}`)
      return Buffer.alloc(width * 32)
    })
    for (const index of [0, 1, 255, 256, 65_536, 4_194_303, 8_388_608, 9_999_998]) {
      for (const proof of [() => tree.root(), () => tree.inclusion(index), () => tree.consistency(index + 1)]) {
        asked.length = 0
        await proof()
        expect(asked.length, `${index}`).to.be.at.most(5)
        expect(new Set(asked).size).to.equal(asked.length)
      }
    }
  })

  it('refuse what is not in them', async () => {
    const tree = log.tiled(10)
    const failing = (promise: Promise<unknown>) =>
      promise.then(
        () => 'made',
        (error: unknown) => error,
      )
    for (const index of [10, -1, 0.5, Number.NaN, 2 ** 53])
      expect(await failing(tree.inclusion(index)), `${index}`).to.be.instanceOf(RangeError)
    for (const size of [11, -1, 0.5, Number.NaN, 2 ** 53])
      expect(await failing(tree.consistency(size)), `${size}`).to.be.instanceOf(RangeError)
    for (const size of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => uniformTree(size)).to.throw(RangeError)
    expect(await failing(log.tiled(0).inclusion(0))).to.be.instanceOf(RangeError)
  })

  it('refuse tiles of another width, and pass on that one cannot be read', async () => {
    const wider = new TiledTree(10, async () => Buffer.alloc(11 * 32))
    const error = await wider.inclusion(3).then(
      () => 'made',
      (error: unknown) => error,
    )
    expect(error).to.be.instanceOf(LogTileError).and.include({ reason: 'wrong' })
    const broken = new TiledTree(600, () => Promise.reject(new Error('no network')))
    for (const proof of [broken.inclusion(3), broken.consistency(3), broken.root()])
      expect(
        `${await proof.then(
          () => 'made',
          (error: unknown) => error,
        )}`,
      ).to.equal('Error: no network')
  })
})
