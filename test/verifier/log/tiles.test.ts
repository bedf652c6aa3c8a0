import { expect } from 'chai'
import fc from 'fast-check'
import { tileRoot, widthOfTile } from '#verifier/log/tiles.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { PlainTree } from '../../support/log/plain-tree.js'

/** How many tiles of each width a tree has at a level. */
function widths(size: number, level: number): { full: number; partial: number } {
  let full = 0
  while (widthOfTile(size, level, full) === 256) full += 1
  expect(widthOfTile(size, level, full + 1)).to.equal(0)
  return { full, partial: widthOfTile(size, level, full) }
}

describe('tiles (C2SP tlog-tiles, Merkle Tree)', () => {
  it('are as wide as in the examples of the specification', () => {
    expect([0, 1, 2, 3].map((level) => widths(70_000, level))).to.deep.equal([
      { full: 273, partial: 112 },
      { full: 1, partial: 17 },
      { full: 0, partial: 1 },
      { full: 0, partial: 0 },
    ])
    expect([0, 1, 2].map((level) => widths(256, level))).to.deep.equal([
      { full: 1, partial: 0 },
      { full: 0, partial: 1 },
      { full: 0, partial: 0 },
    ])
    expect(widths(0, 0)).to.deep.equal({ full: 0, partial: 0 })
  })

  it('are partial at the right edge alone, where their width is floor(s / 256^l) mod 256', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(8), (size, level) => {
        const hashes = BigInt(size) / 256n ** BigInt(level)
        const edge = Number(hashes / 256n)
        expect(widthOfTile(size, level, edge)).to.equal(Number(hashes % 256n))
        expect(widthOfTile(size, level, edge + 1)).to.equal(0)
        if (edge > 0) expect(widthOfTile(size, level, edge - 1)).to.equal(256)
      }),
    )
  })

  it('are none for what is no size, level or index', () => {
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(widthOfTile(wrong, 0, 0), `size ${wrong}`).to.equal(0)
      expect(widthOfTile(1000, wrong, 0), `level ${wrong}`).to.equal(0)
      expect(widthOfTile(1000, 0, wrong), `index ${wrong}`).to.equal(0)
    }
  })

  it('have roots where they are full', () => {
    const full = GrownLog.ofSize(256).tiles.get('0/0') ?? expect.fail()
    expect(Buffer.from(tileRoot(full))).to.deep.equal(new PlainTree().root(256))
    for (const length of [0, 32, 255 * 32, 256 * 32 - 1, 257 * 32])
      expect(() => tileRoot(Buffer.alloc(length)), `${length}`).to.throw(RangeError)
  })
})
