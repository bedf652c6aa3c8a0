import { expect } from 'chai'
import { EMPTY_ROOT, isConsistent, isIncluded, leafHash } from '#verifier/log/merkle.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { entriesUpTo, entryAt, GrownLog } from '../../support/log/grown-log.js'
import { auditPath, consistencyPath, treeHash } from '../../support/log/plain-tree.js'

describe('trees in tiles (C2SP tlog-tiles)', () => {
  const log = GrownLog.ofSize(1, 2, 252, 1, 1, 255, 1, 300, 0, 500)

  for (const size of [0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 813])
    it(`have the root of RFC 6962 with ${size} entries, and its proofs`, async () => {
      const entries = entriesUpTo(size)
      const tree = log.tiled(size)
      expect(Buffer.from(await tree.root())).to.deep.equal(treeHash(entries))
      for (const index of [0, 1, 2, 254, 255, 256, 511, 512, size - 1].filter((one) => one >= 0 && one < size)) {
        expect((await tree.inclusion(index)).map((hash) => Buffer.from(hash))).to.deep.equal(auditPath(index, entries))
        const proof = (await tree.consistency(index + 1)).map((hash) => Buffer.from(hash))
        expect(proof).to.deep.equal(consistencyPath(index + 1, entries))
      }
    })

  it('read at most five tiles for a proof in a tree of ten million', async () => {
    const asked: string[] = []
    const tree = new TiledTree(9_999_999, async ({ level, index, width }) => {
      asked.push(`${level}/${index}`)
      return Buffer.alloc(width * 32)
    })
    for (const index of [0, 1, 255, 256, 65_536, 4_194_303, 8_388_608, 9_999_998]) {
      for (const proof of [() => tree.inclusion(index), () => tree.consistency(index + 1)]) {
        asked.length = 0
        await proof()
        expect(asked.length, `${index}`).to.be.at.most(5)
        expect(new Set(asked).size).to.equal(asked.length)
      }
    }
  })

  it('prove entries and older trees', async () => {
    const { size, root } = log.tree
    const proof = await log.tiled().inclusion(700)
    expect(isIncluded({ leaf: leafHash(entryAt(700)), index: 700, size, proof, root })).to.equal(true)
    const from = { size: 300, root: await log.tiled(300).root() }
    expect(isConsistent({ from, to: log.tree, proof: await log.tiled().consistency(300) })).to.equal(true)
    expect(await new TiledTree(0, log.read).root()).to.equal(EMPTY_ROOT)
  })
})
