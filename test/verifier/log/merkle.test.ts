import { expect } from 'chai'
import { EMPTY_ROOT, isConsistent, isIncluded, leafHash, nodeHash } from '#verifier/log/merkle.js'
import { entryAt, PlainTree } from '../../support/log/plain-tree.js'

const plain = new PlainTree()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Entries and roots that implementations of RFC 6962 are tested by. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((entry) => Buffer.from(entry, 'hex'))
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('Merkle trees (RFC 6962, 2.1)', () => {
  it('hash nothing, entries and nodes apart', () => {
    const [first, second] = [leafHash(entryAt(0)), leafHash(entryAt(1))]
    expect(hex(EMPTY_ROOT)).to.equal(ROOTS[0])
    expect(hex(leafHash(new Uint8Array()))).to.equal(ROOTS[1])
    expect(nodeHash(first, second)).to.deep.equal(plain.root(2))
    expect(leafHash(Buffer.concat([first, second]))).not.to.deep.equal(nodeHash(first, second))
  })

  it('prove each of the entries that others test by, in each of their trees', () => {
    const tree = new PlainTree((index) => ENTRIES[index] ?? expect.fail())
    for (const [size, root] of ROOTS.entries()) {
      expect(hex(tree.root(size))).to.equal(root)
      for (let index = 0; index < size; index += 1) {
        const leaf = leafHash(ENTRIES[index] ?? expect.fail())
        const proof = tree.path(index, size)
        expect(isIncluded({ leaf, index, size, proof, root: Buffer.from(root, 'hex') })).to.equal(true)
      }
    }
  })

  describe('prove nothing by what is malformed:', () => {
    const good = { leaf: leafHash(entryAt(2)), index: 2, size: 5, proof: plain.path(2, 5), root: plain.root(5) }
    const longer = (hash: Buffer) => Buffer.concat([hash, Buffer.alloc(1)])
    const long = Array<Uint8Array>(64).fill(EMPTY_ROOT)

    it('not so the proof itself', () => expect(isIncluded(good)).to.equal(true))

    for (const [what, changed] of [
      ['no number', { index: Number.NaN }],
      ['a negative index', { index: -1 }],
      ['a fraction', { index: 2.5 }],
      ['an index that is the size', { index: 5 }],
      ['an index above the size', { index: 2 ** 40 }],
      ['a size of zero', { size: 0 }],
      ['a size that is no number', { size: Number.NaN }],
      ['a size that is a fraction', { size: 5.5 }],
      ['an infinite size', { size: Number.POSITIVE_INFINITY }],
      ['a size that JavaScript cannot count', { size: 2 ** 53 }],
      ['a leaf of 31 octets', { leaf: good.leaf.subarray(1) }],
      ['a leaf of 33 octets', { leaf: Buffer.concat([good.leaf, Buffer.alloc(1)]) }],
      ['a root of no octets', { root: Buffer.alloc(0) }],
      ['a hash of 31 octets', { proof: good.proof.map((hash) => hash.subarray(1)) }],
      ['a hash of 33 octets', { proof: good.proof.map(longer) }],
      ['a left hash of 33 octets', { proof: good.proof.with(1, longer(good.proof[1] ?? expect.fail())) }],
      ['no hashes', { proof: [] }],
      ['64 hashes', { proof: long }],
    ] as const)
      it(what, () => expect(isIncluded({ ...good, ...changed })).to.equal(false))

    const from = { size: 3, root: plain.root(3) }
    const to = { size: 7, root: plain.root(7) }
    const proof = plain.consistency(3, 7)

    it('not so the proof of an older tree', () => expect(isConsistent({ from, to, proof })).to.equal(true))

    for (const [what, changed] of [
      ['an older size that is no number', { from: { ...from, size: Number.NaN } }],
      ['a negative older size', { from: { ...from, size: -3 } }],
      ['a newer size that is a fraction', { to: { ...to, size: 7.5 } }],
      ['a newer size that JavaScript cannot count', { to: { ...to, size: 2 ** 53 } }],
      ['trees in the other order', { from: to, to: from }],
      ['an older root of 31 octets', { from: { ...from, root: from.root.subarray(1) } }],
      ['a newer root of 31 octets', { to: { ...to, root: to.root.subarray(1) } }],
      ['a hash of 31 octets of an older tree', { proof: proof.map((hash) => hash.subarray(1)) }],
      ['a hash of 33 octets of an older tree', { proof: proof.map(longer) }],
      ['no hashes of an older tree', { proof: [] }],
      ['64 hashes of an older tree', { proof: long }],
    ] as const)
      it(what, () => expect(isConsistent({ from, to, proof, ...changed })).to.equal(false))

    it('hashes above the root, though they lead to another', () => {
      const [leaf, above] = [leafHash(entryAt(0)), leafHash(entryAt(1))]
      const root = nodeHash(above, leaf)
      expect(isIncluded({ leaf, index: 0, size: 1, proof: [], root: leaf })).to.equal(true)
      expect(isIncluded({ leaf, index: 0, size: 1, proof: [above], root })).to.equal(false)
      const lifted = (size: number) => ({ size, root: nodeHash(above, plain.root(size)) })
      const more = [...plain.consistency(3, 4), above]
      expect(isConsistent({ from: lifted(3), to: lifted(4), proof: more })).to.equal(false)
    })

    it('an older tree that is larger, though the hashes lead to both roots', () => {
      const [first, second, third] = [entryAt(0), entryAt(1), entryAt(2)].map(leafHash)
      if (first === undefined || second === undefined || third === undefined) return expect.fail()
      const older = { size: 7, root: nodeHash(third, first) }
      const newer = { size: 3, root: nodeHash(third, nodeHash(first, second)) }
      expect(isConsistent({ from: older, to: newer, proof: [first, second, third] })).to.equal(false)
    })

    it('a root of the empty tree that is another', () => {
      const empty = { size: 0, root: EMPTY_ROOT }
      const wrong = { size: 0, root: plain.root(1) }
      expect(isConsistent({ from: empty, to: empty, proof: [] })).to.equal(true)
      expect(isConsistent({ from: wrong, to: wrong, proof: [] })).to.equal(false)
      expect(isConsistent({ from: wrong, to, proof: [] })).to.equal(false)
      expect(isConsistent({ from: empty, to, proof: [] })).to.equal(true)
      expect(isConsistent({ from: empty, to, proof: [EMPTY_ROOT] })).to.equal(false)
    })
  })
})
