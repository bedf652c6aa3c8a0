import { deflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { inflated } from '#verifier/zip/inflated.js'

describe('inflated', () => {
  const content = Buffer.from('The buyer pays 100. '.repeat(200_000))
  const deflated = deflateRawSync(content, { level: 0 })
  const all = async (octets: Uint8Array) => {
    const pieces: Uint8Array[] = []
    for await (const piece of inflated(sourceOf(octets))) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  const isRefused = (octets: Uint8Array) =>
    all(octets).then(
      () => false,
      () => true,
    )

  it('gives what was deflated, also nothing', async () => {
    expect((await all(deflated)).equals(content)).to.equal(true)
    expect(await all(deflateRawSync(Buffer.alloc(0)))).to.have.length(0)
  })

  for (const more of [1, 2, 9, 2 * 1024 * 1024])
    it(`refuses ${more} octets behind the end, which some programs leave out`, async () => {
      const behind = Buffer.concat([deflated, Buffer.alloc(more)])
      expect(await isRefused(behind)).to.equal(true)
    })

  it('refuses what ends early or is none', async () => {
    for (const octets of [deflated.subarray(0, -1), Buffer.from('plain'), Buffer.alloc(0)])
      expect(await isRefused(octets)).to.equal(true)
  })

  it('fails where its source does', async () => {
    const read = () => {
      throw new Error('the disk is gone')
    }
    const pieces = inflated({ size: 10, read })
    expect(await pieces.next().catch((error: unknown) => String(error))).to.include('the disk is gone')
  })
})
