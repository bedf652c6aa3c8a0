import { createHash } from 'node:crypto'
import { verifyEvidence } from '@signed-registry/verifier'
import { BUNDLE_TYPE, CONTAINER_TYPE } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { AsicEvidence } from '#evidence-asic/asic-evidence.js'
import { readContainer } from '#verifier/evidence/read-container.js'
import { bundleOf, SHA_256 } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { exhaustive } from '../../support/sweep.js'
import { VirtualSource } from '../../support/virtual-source.js'

const MIB = 2 ** 20
const SIZE = 5 * 1024 * MIB + 12_345

describe('a bundle with an original of 5 GiB', () => {
  it('is written and read in pieces, by ZIP64, in the size that was said', async function () {
    this.timeout(900_000)
    const authorities = testAuthorities()
    const zeros = new Uint8Array(MIB)
    async function* original() {
      for (let at = 0; at < SIZE; at += MIB) yield zeros.subarray(0, Math.min(MIB, SIZE - at))
    }
    const honest = bundleOf(authorities, [{ content: 'a contract', signers: [authorities.person()] }])
    const sha256 = createHash('sha256')
    if (exhaustive) for await (const piece of original()) sha256.update(piece)
    const digests = new Map([[SHA_256, sha256.digest()]])
    const built = new AsicEvidence().build({
      ...honest,
      documents: honest.documents.map((document) => ({
        ...document,
        ...{ size: SIZE, digests, original: { name: 'zeros.bin', bytes: original } },
      })),
    })
    const source = new VirtualSource()
    for await (const chunk of built.bytes()) source.add(chunk, zeros)
    expect(source.size).to.equal(built.size).and.to.be.above(SIZE)
    const container = readContainer(source, BUNDLE_TYPE).at(-1)
    expect(container?.name).to.equal('document.asics')
    const inside = readContainer(container?.content ?? source, CONTAINER_TYPE)
    expect(inside.map(({ name, content }) => [name, content.size]).slice(0, 2)).to.deep.equal([
      ['mimetype', CONTAINER_TYPE.length],
      ['zeros.bin', SIZE],
    ])
    if (!exhaustive) return
    const { evidence, documents } = verifyEvidence(source, { trust: trustOf(authorities), at: NOW })
    // The signature is on another document: all else is right.
    expect(evidence.problems.map(({ code }) => code)).to.deep.equal(['otherDocument'])
    expect(documents[0]).to.include({ name: 'zeros.bin' })
  })
})
