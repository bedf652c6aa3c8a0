import { expect } from 'chai'
import fc from 'fast-check'
import { growTree, type TreeEdge } from '#verifier/log/grow-tree.js'
import { EMPTY_ROOT, leafHash } from '#verifier/log/merkle.js'
import { widthOfTile } from '#verifier/log/tiles.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { entryAt, PlainTree } from '../../support/log/plain-tree.js'

const plain = new PlainTree()
const EMPTY: TreeEdge = { size: 0, edge: [] }
const leaves = (count: number, from = 0) => Array.from({ length: count }, (_, at) => leafHash(entryAt(from + at)))

describe('trees that grow', () => {
  it('have the root of RFC 6962 and the tiles of C2SP, in whichever steps they grew', () => {
    const step = fc.oneof(fc.nat(5), fc.nat(300), fc.constantFrom(255, 256, 257))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const log = GrownLog.ofSize(...steps)
        const { size, root } = log.tree
        expect(size).to.equal(steps.reduce((sum, count) => sum + count, 0))
        expect(Buffer.from(root)).to.deep.equal(plain.root(size))
        expect([...log.tiles].sort()).to.deep.equal([...GrownLog.ofSize(size).tiles].sort())
        for (const [path, hashes] of log.tiles) {
          const [level = 0, index = 0] = path.split('/').map(Number)
          expect(hashes.length).to.equal(32 * widthOfTile(size, level, index))
          const span = 256 ** level
          for (let at = 0; at < hashes.length / 32; at += 37) {
            const first = (index * 256 + at) * span
            const hash = Buffer.from(hashes.subarray(at * 32, at * 32 + 32))
            expect(hash).to.deep.equal(plain.root(first + span, first))
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('tell the tiles that became wider, and no others', () => {
    const tree = growTree(EMPTY, leaves(255))
    expect(tree.tiles.map(({ level, index }) => `${level}/${index}`)).to.deep.equal(['0/0'])
    const full = growTree(tree, leaves(1, 255))
    expect(full.tiles.map(({ level, index }) => `${level}/${index}`)).to.deep.equal(['0/0', '1/0'])
    const more = growTree(full, leaves(3, 256))
    expect(more.tiles.map(({ level, index }) => `${level}/${index}`)).to.deep.equal(['0/1'])
    const jump = growTree(more, leaves(600, 259))
    expect(jump.tiles.map(({ level, index }) => `${level}/${index}`)).to.deep.equal(['0/1', '0/2', '0/3', '1/0'])
    expect(growTree(jump, []).tiles).to.deep.equal([])
    expect(growTree(jump, []).root).to.deep.equal(jump.root)
  })

  it('begin empty', () => {
    expect(growTree(EMPTY, [])).to.deep.equal({ size: 0, root: EMPTY_ROOT, tiles: [], edge: [] })
  })

  it('grow from an edge with empty levels above', () => {
    const tree = growTree({ size: 0, edge: [new Uint8Array(), new Uint8Array()] }, leaves(3))
    expect(Buffer.from(tree.root)).to.deep.equal(plain.root(3))
    expect(growTree({ size: 0, edge: [new Uint8Array()] }, []).root).to.equal(EMPTY_ROOT)
  })

  it('keep no more in memory than their edge', () => {
    const { edge } = growTree(EMPTY, leaves(700))
    expect(edge.map((tile) => tile.buffer.byteLength)).to.deep.equal([188 * 32, 2 * 32])
  })

  const { edge } = growTree(EMPTY, leaves(300))
  for (const [what, wrong] of [
    ['of a smaller tree', { size: 301, edge }],
    ['of a larger tree', { size: 299, edge }],
    ['without a level', { size: 300, edge: edge.slice(0, 1) }],
    ['with a level too many', { size: 300, edge: [...edge, Buffer.alloc(32)] }],
    ['with half a hash', { size: 300, edge: [edge[0]?.subarray(16) ?? expect.fail(), ...edge.slice(1)] }],
    ['of a size that JavaScript cannot count', { size: 2 ** 53, edge }],
    ['of a negative size', { size: -1, edge }],
    ['of a fraction', { size: 0.5, edge: [] }],
  ] as const)
    it(`refuse an edge ${what}`, () => {
      expect(() => growTree(wrong, leaves(1))).to.throw(RangeError)
      expect(() => growTree(wrong, [])).to.throw(RangeError)
    })

  it('refuse leaves that are no hashes', () => {
    expect(() => growTree(EMPTY, [Buffer.alloc(31)])).to.throw(RangeError)
    expect(() => growTree({ size: 0, edge: [] }, [Buffer.alloc(64)])).to.throw(RangeError)
  })
})
