import { expect } from 'chai'
import fc from 'fast-check'
import { isConsistent, isIncluded, leafHash } from '#verifier/log/merkle.js'
import { flipped, otherHashes } from '../../support/log/other-proofs.js'
import { entryAt, PlainTree } from '../../support/log/plain-tree.js'
import { UNIFORM_LEAF, uniformHead, uniformTree } from '../../support/log/uniform-tree.js'

const LARGEST = 260
const plain = new PlainTree()
const head = (size: number) => ({ size, root: plain.root(size) })
const inclusion = (index: number, size: number) => ({
  leaf: leafHash(entryAt(index)),
  index,
  proof: plain.path(index, size),
  ...head(size),
})
const consistency = (from: number, to: number) => ({
  from: head(from),
  to: head(to),
  proof: plain.consistency(from, to),
})

const size = fc.integer({ min: 1, max: LARGEST })
const pair = fc.tuple(size, size).map((both) => both.sort((one, other) => one - other))
const number = fc.nat()

describe('proofs (RFC 9162, 2.1.3 and 2.1.4)', () => {
  it(`are accepted for every entry of every tree of up to ${LARGEST}`, () => {
    for (let size = 1; size <= LARGEST; size += 1)
      for (let index = 0; index < size; index += 1)
        if (!isIncluded(inclusion(index, size))) expect.fail(`${index} in ${size}`)
  })

  it(`are accepted for every older tree of every tree of up to ${LARGEST}`, () => {
    for (let to = 0; to <= LARGEST; to += 1)
      for (let from = 0; from <= to; from += 1)
        if (!isConsistent(consistency(from, to))) expect.fail(`${from} in ${to}`)
  })

  it('are refused for another leaf, another index, another tree, and as other proofs', () => {
    fc.assert(
      fc.property(size, number, number, size, (size, at, bit, otherSize) => {
        const good = inclusion(at % size, size)
        expect(isIncluded({ ...good, leaf: flipped(good.leaf, bit) })).to.equal(false)
        expect(isIncluded({ ...good, root: flipped(good.root, bit) })).to.equal(false)
        for (let index = 0; index <= size; index += 1)
          expect(isIncluded({ ...good, index }), `index ${index}`).to.equal(index === good.index)
        expect(isIncluded({ ...good, ...head(otherSize) })).to.equal(otherSize === size)
        for (const proof of otherHashes(good.proof, bit)) expect(isIncluded({ ...good, proof })).to.equal(false)
      }),
      { numRuns: 200 },
    )
  })

  it('are refused for other trees, and as other proofs of an older tree', () => {
    fc.assert(
      fc.property(pair, number, size, ([from = 1, to = 1], bit, other) => {
        const good = consistency(from, to)
        expect(isConsistent({ ...good, from: { size: from, root: flipped(good.from.root, bit) } })).to.equal(false)
        expect(isConsistent({ ...good, to: { size: to, root: flipped(good.to.root, bit) } })).to.equal(false)
        expect(isConsistent({ ...good, from: head(other) }), `from ${other}`).to.equal(other === from)
        expect(isConsistent({ ...good, to: head(other) }), `to ${other}`).to.equal(other === to)
        for (const proof of otherHashes(good.proof, bit)) expect(isConsistent({ ...good, proof })).to.equal(false)
      }),
      { numRuns: 500 },
    )
  })

  it('are accepted in trees of up to 2^53 - 1 entries, and no other ones are', async () => {
    const large = fc.oneof(
      fc.maxSafeNat(),
      fc.integer({ min: 8, max: 53 }).chain((power) => fc.integer({ min: -2, max: 2 }).map((d) => 2 ** power + d)),
    )
    const sizes = fc
      .tuple(large, large)
      .map((both) =>
        both.map((one) => Math.min(Math.max(one, 1), Number.MAX_SAFE_INTEGER)).sort((one, other) => one - other),
      )
    await fc.assert(
      fc.asyncProperty(sizes, number, async ([less = 1, size = 1], bit) => {
        const tree = uniformTree(size)
        const to = await uniformHead(size)
        const included = { leaf: UNIFORM_LEAF, index: less - 1, ...to }
        const path = await tree.inclusion(less - 1)
        expect(isIncluded({ ...included, proof: path })).to.equal(true)
        expect(isIncluded({ ...included, proof: [...path, Buffer.alloc(32)] })).to.equal(false)
        expect(isIncluded({ ...included, leaf: flipped(UNIFORM_LEAF, bit), proof: path })).to.equal(false)
        const from = await uniformHead(less)
        const proof = await tree.consistency(less)
        expect(isConsistent({ from, to, proof })).to.equal(true)
        expect(isConsistent({ from, to, proof: [...proof, Buffer.alloc(32)] })).to.equal(false)
        expect(isConsistent({ from, to: { size, root: flipped(to.root, bit) }, proof })).to.equal(false)
        for (const changed of proof.map((hash, place) => proof.toSpliced(place, 1, flipped(hash, bit))))
          expect(isConsistent({ from, to, proof: changed })).to.equal(false)
      }),
      { numRuns: 150 },
    )
  })
})
