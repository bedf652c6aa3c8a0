import { expect } from 'chai'
import * as inNode from '#verifier/log/index.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { logInBrowsers } from '../../../support/as-in-browsers.js'
import { GrownLog } from '../../../support/log/grown-log.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../../support/log/note-keys.js'

describe('transparency logs in browsers', () => {
  const origin = 'log.example/one'
  const key = logKeyOf(origin, 1)
  const witness = witnessOf(2)
  const salt = Buffer.alloc(32, 9)
  const text = inNode.writeLeafText('signature', [['signId', '5']])
  const log = GrownLog.ofSize(300)
  const leaf = inNode.leafHash(inNode.saltedEntry(salt, text))
  const shorter = log.tree
  const { tree, read } = log.addLeaves([leaf])
  const note = signNote(inNode.checkpointText({ origin, ...tree }), origin, privateKeyOf(1))
  const policyText = `log ${key}\nwitness w ${witness.key}\nquorum w\n`
  let inBrowser: typeof inNode

  before(async () => {
    inBrowser = await logInBrowsers()
  })

  it('are grown to the same root, and prove the same', async () => {
    const again = inBrowser.growTree(shorter, [leaf])
    expect(Buffer.from(again.root).equals(tree.root)).to.equal(true)
    const tiles = new inBrowser.VerifiedTiles(tree, read)
    const proof = await new inBrowser.TiledTree(tree.size, tiles.read).inclusion(300)
    expect(inNode.isIncluded({ leaf, index: 300, ...tree, proof })).to.equal(true)
    expect(inBrowser.isIncluded({ leaf, index: 300, ...tree, proof })).to.equal(true)
    expect(inBrowser.isIncluded({ leaf, index: 299, ...tree, proof })).to.equal(false)
  })

  it('are trusted by the same policies', async () => {
    const hashes = await new inNode.TiledTree(tree.size, read).inclusion(300)
    const extra = Buffer.concat([salt, Buffer.from(text)])
    const checkpoint = note + witness.line(note)
    const proof = inNode.writeLogProof({ extra, index: 300, hashes, checkpoint })
    const verdict = inBrowser.verifyLogProof(proof, { policy: inBrowser.readLogPolicy(policyText) })
    expect(verdict).to.deep.equal(inNode.verifyLogProof(proof, { policy: inNode.readLogPolicy(policyText) }))
    expect(verdict).to.include({ trust: 'established', kind: 'signature' })
  })

  it('are refused where a signature is wrong', () => {
    const wrong = note.replace('\n301\n', '\n302\n')
    expect(() => inBrowser.openCheckpoint(wrong, key)).to.throw('Signed note is not verified')
    expect(() => inBrowser.verifyCosignature(wrong + witness.line(note), witness.key)).to.throw(
      'Signed note is not verified',
    )
    expect(inBrowser.openCheckpoint(note, key)).to.include({ origin, size: 301 })
  })
})
