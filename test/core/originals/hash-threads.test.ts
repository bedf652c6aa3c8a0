import { expect } from 'chai'
import { receive } from '#core/originals/index.js'
import { digest, digestAlgorithms } from '#verifier/algorithms/digest.js'
import { rejectionOf } from '../../support/refusal.js'

const algorithms = digestAlgorithms.map(({ oid }) => oid)
const MIB = 2 ** 20

/** Bytes of which no two parts are alike. */
const bytesOf = (size: number, seed = 1) => {
  const bytes = Buffer.alloc(size)
  for (let at = 0, x = seed; at < size; at += 1) {
    x = (x * 1103515245 + 12345) & 0x7fffffff
    bytes[at] = x >> 16
  }
  return bytes
}

/** An upload that comes in chunks of uneven sizes, in memory that is used again. */
const uploadOf = (bytes: Buffer, size = bytes.length) => ({
  size,
  stream: (async function* () {
    const chunk = Buffer.alloc(200_000)
    for (let at = 0, n = 0; at < bytes.length; n += 1) {
      const length = bytes.copy(chunk, 0, at, at + 1 + ((n * 65_537) % chunk.length))
      yield chunk.subarray(0, length)
      at += length
    }
  })(),
})

const expected = (bytes: Buffer) => new Map(algorithms.map((oid) => [oid, digest(oid, bytes).toString('hex')]))
const received = async (bytes: Buffer) =>
  new Map(
    [...(await receive(uploadOf(bytes), { algorithms }))].map(([oid, one]) => [oid, Buffer.from(one).toString('hex')]),
  )

describe('the hashes of an original', () => {
  for (const size of [0, 1, 100_000, MIB - 1, MIB, MIB + 1, 5 * MIB + 3]) {
    it(`are correct by every algorithm, for ${size} bytes`, async () => {
      const bytes = bytesOf(size)
      const hashes = await received(bytes)
      for (const [oid, value] of expected(bytes)) expect(hashes.get(oid), oid).to.equal(value)
    })
  }

  it('are correct for several originals at once, one of which is aborted', async () => {
    const originals = [1, 2, 3].map((seed) => bytesOf(3 * MIB + seed, seed))
    const broken = rejectionOf(receive(uploadOf(bytesOf(2 * MIB), 3 * MIB), { algorithms }))
    const all = await Promise.all(originals.map(received))
    for (const [at, bytes] of originals.entries()) expect(all[at]).to.deep.equal(expected(bytes))
    expect((await broken).code).to.equal('processedSizeDiffers')
  })

  it('are refused for an unknown algorithm', async () => {
    const attempt = receive(uploadOf(bytesOf(MIB)), { algorithms: ['1.2.3'] })
    expect((await rejectionOf(attempt)).code).to.equal('digestAlgorithmNotSupported')
  })
})
