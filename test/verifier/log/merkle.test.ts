import { expect } from 'chai'
import { EMPTY_ROOT, isConsistent, isIncluded, leafHash, nodeHash } from '#verifier/log/merkle.js'
import { entriesUpTo, entryAt } from '../../support/log/grown-log.js'
import { auditPath, consistencyPath, treeHash } from '../../support/log/plain-tree.js'

const SIZES = Array.from({ length: 40 }, (_, size) => size)

describe('Merkle trees (RFC 6962, 2.1)', () => {
  it('hash nothing, entries and nodes apart', () => {
    expect(Buffer.from(EMPTY_ROOT).toString('hex')).to.equal(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(leafHash(new Uint8Array()).toString('hex')).to.equal(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    )
    expect(nodeHash(leafHash(entryAt(0)), leafHash(entryAt(1)))).to.deep.equal(treeHash(entriesUpTo(2)))
  })

  it('prove every entry of every small tree', () => {
    for (const size of SIZES) {
      const entries = entriesUpTo(size)
      const root = treeHash(entries)
      for (const [index, entry] of entries.entries()) {
        const proof = auditPath(index, entries)
        expect(isIncluded({ leaf: leafHash(entry), index, size, proof, root }), `${index} in ${size}`).to.equal(true)
      }
    }
  })

  it('prove that every small tree begins with every smaller one', () => {
    for (const size of SIZES) {
      const to = { size, root: treeHash(entriesUpTo(size)) }
      for (let old = 0; old <= size; old += 1) {
        const from = { size: old, root: treeHash(entriesUpTo(old)) }
        const proof = old === 0 ? [] : consistencyPath(old, entriesUpTo(size))
        expect(isConsistent({ from, to, proof }), `${old} in ${size}`).to.equal(true)
      }
    }
  })
})
