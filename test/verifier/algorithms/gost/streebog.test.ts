import { expect } from 'chai'
import fc from 'fast-check'
import { streebog256, streebog512 } from '#verifier/algorithms/gost/index.js'
import { engineDigest, hasGostEngine } from './gost-engine.js'
import { referenceStreebog } from './reference-streebog.js'

const hex = (hasher: ReturnType<typeof streebog512>) => Buffer.from(hasher.digest()).toString('hex')

/** Messages M1 and M2 of RFC 6986 section 10, in the order of octets in which they are hashed. */
const M1 = Buffer.from('012345678901234567890123456789012345678901234567890123456789012')
const M2 = Buffer.from(
  'd1e520e2e5f2f0e82c20d1f2f0e8e1eee6e820e2edf3f6e82c20e2e5fef2fa20f120eceef0ff20f1f2f0e5ebe0ece820ede020f5f0e0e1f0fbff20efebfaeafb20c8e3eef0e5e2fb',
  'hex',
)

describe('Streebog', () => {
  it('gives the 512-bit hashes of RFC 6986', () => {
    expect(hex(streebog512().update(M1))).to.equal(
      '1b54d01a4af5b9d5cc3d86d68d285462b19abc2475222f35c085122be4ba1ffa00ad30f8767b3a82384c6574f024c311e2a481332b08ef7f41797891c1646f48',
    )
    expect(hex(streebog512().update(M2))).to.equal(
      '1e88e62226bfca6f9994f1f2d51569e0daf8475a3b0fe61a5300eee46d961376035fe83549ada2b8620fcd7c496ce5b33f0cb9dddc2b6460143b03dabac9fb28',
    )
  })

  it('gives the 256-bit hashes of RFC 6986', () => {
    expect(hex(streebog256().update(M1))).to.equal('9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500')
    expect(hex(streebog256().update(M2))).to.equal('9dd2fe4e90409e5da87f53976d7405b0c0cac628fc669a741d50063c557e8f50')
  })

  it('does not depend on how the message is cut', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 })
    fc.assert(
      fc.property(pieces, (parts) => {
        const [cut, joined] = [streebog512(), streebog512().update(Buffer.concat(parts))]
        for (const part of parts) cut.update(part)
        expect(hex(cut)).to.equal(hex(joined))
      }),
    )
  })

  it('keeps hashers that work in turns apart', () => {
    const [first, second] = [streebog512().update(M1), streebog256().update(M2)]
    first.update(M2)
    second.update(M1)
    expect(hex(first)).to.equal(hex(streebog512().update(Buffer.concat([M1, M2]))))
    expect(hex(second)).to.equal(hex(streebog256().update(Buffer.concat([M2, M1]))))
  })

  it('accepts more input at once than fits into its memory', () => {
    const long = Buffer.alloc(200_001, 'signed document')
    const cut = streebog512()
    for (let offset = 0; offset < long.length; offset += 997) cut.update(long.subarray(offset, offset + 997))
    expect(hex(cut)).to.equal(hex(streebog512().update(long)))
  })

  it('agrees with a plain reading of the standard', () => {
    const messages = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(messages, (message) => {
        expect(hex(streebog512().update(message))).to.equal(referenceStreebog(message, 512).toString('hex'))
        expect(hex(streebog256().update(message))).to.equal(referenceStreebog(message, 256).toString('hex'))
      }),
      { numRuns: 12, examples: [[new Uint8Array(128).fill(0xff)]] },
    )
  })

  it('carries over words of ones in the sum of blocks', () => {
    const blocks = Buffer.alloc(192, 0xff)
    blocks[64] = 1
    blocks.fill(0, 65, 128)
    expect(hex(streebog512().update(blocks))).to.equal(referenceStreebog(blocks, 512).toString('hex'))
  })

  it('refuses to go on after the digest is taken', () => {
    const hasher = streebog512()
    hasher.digest()
    expect(() => hasher.digest()).to.throw('already taken')
    expect(() => hasher.update(M1)).to.throw('already taken')
  })

  it('agrees with the OpenSSL engine (skipped where it is not installed)', function () {
    if (!hasGostEngine) this.skip()
    for (const length of [0, 1, 63, 64, 65, 1000, 70_000]) {
      const message = Buffer.alloc(length, 'agreement')
      expect(hex(streebog512().update(message))).to.equal(engineDigest('md_gost12_512', message))
      expect(hex(streebog256().update(message))).to.equal(engineDigest('md_gost12_256', message))
    }
  })
})
