import { expect } from 'chai'
import fc from 'fast-check'
import { gost34311 } from '#verifier/algorithms/gost/index.js'
import { referenceGost34311 } from './reference-gost34311.js'

const hex = (message: Uint8Array | string) =>
  Buffer.from(gost34311().update(Buffer.from(message)).digest()).toString('hex')

describe('GOST 34.311-95 with the test parameters', () => {
  it('gives the hashes of the standard (RFC 5831 section 7.3)', () => {
    expect(hex('This is message, length=32 bytes')).to.equal(
      'b1c466d37519b82e8319819ff32595e047a28cb6f83eff1c6916a815a637fffa',
    )
    expect(hex('Suppose the original message has length = 50 bytes')).to.equal(
      '471aba57a60a770d3a76130635c1fbea4ef14de51f78b4ae57dd893b62f55208',
    )
  })

  it('does not depend on how the message is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 12 }), (parts) => {
        const cut = gost34311()
        for (const part of parts) cut.update(part)
        expect(Buffer.from(cut.digest()).toString('hex')).to.equal(hex(Buffer.concat(parts)))
      }),
    )
  })

  it('accepts more input at once than fits into its memory', () => {
    const long = Buffer.alloc(150_001, 'signed document')
    const cut = gost34311()
    for (let offset = 0; offset < long.length; offset += 991) cut.update(long.subarray(offset, offset + 991))
    expect(Buffer.from(cut.digest()).toString('hex')).to.equal(hex(long))
  })

  it('agrees with a plain reading of the standard', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (message) => {
        expect(hex(message)).to.equal(referenceGost34311(message).toString('hex'))
      }),
      { numRuns: 30, examples: [[new Uint8Array(0)], [new Uint8Array(96).fill(0xff)]] },
    )
  })
})
