import { isAscii, Buffer as NodeBuffer } from 'node:buffer'
import { expect } from 'chai'
import { assert, integer, property, string, uint8Array } from 'fast-check'
import { bufferInBrowsers } from '../../../support/as-in-browsers.js'

const ENCODINGS = ['utf8', 'latin1', 'binary', 'hex', 'base64', 'base64url', 'ascii'] as const

describe('the Buffer of the verifier in browsers', () => {
  let browsers: Awaited<ReturnType<typeof bufferInBrowsers>>
  before(async () => {
    browsers = await bufferInBrowsers()
  })
  const octets = (bytes: Uint8Array) => [...bytes]

  it('writes octets as Node does, broken UTF-8 too, of a part and as a whole', () => {
    assert(
      property(
        uint8Array({ maxLength: 40 }),
        integer({ min: 0, max: 50 }),
        integer({ min: 0, max: 50 }),
        (bytes, from, to) => {
          const [own, due] = [browsers.Buffer.from(bytes), NodeBuffer.from(bytes)]
          for (const encoding of ENCODINGS) {
            expect(own.toString(encoding), encoding).to.equal(due.toString(encoding))
            expect(own.toString(encoding, from, to), encoding).to.equal(due.toString(encoding, from, to))
          }
          expect(browsers.isAscii(bytes)).to.equal(isAscii(bytes))
        },
      ),
      { numRuns: 500 },
    )
    for (const hex of ['efbbbf41', 'f09f98', 'eda080', 'c0af', 'f8888080', 'e2828241'])
      expect(browsers.Buffer.from(hex, 'hex').toString()).to.equal(NodeBuffer.from(hex, 'hex').toString())
  })

  it('reads text as Node does, lone surrogates and broken base64 too', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 30 }), string({ maxLength: 30 }), (wide, narrow) => {
        const same = (text: string, encoding: BufferEncoding) =>
          expect(octets(browsers.Buffer.from(text, encoding))).to.deep.equal(octets(NodeBuffer.from(text, encoding)))
        for (const text of [wide, narrow, `\ud800${narrow}`])
          for (const encoding of ['utf8', 'latin1', 'binary'] as const) same(text, encoding)
        for (const text of [narrow, `${narrow}=`, `\n${narrow}`]) same(text, 'base64')
      }),
      { numRuns: 500 },
    )
  })

  it('compares, joins, finds and copies as Node does', () => {
    assert(
      property(
        uint8Array({ maxLength: 4, max: 2 }),
        uint8Array({ minLength: 1, maxLength: 4, max: 2 }),
        (one, other) => {
          expect(browsers.Buffer.compare(one, other)).to.equal(NodeBuffer.compare(one, other))
          const [own, due] = [browsers.Buffer.concat([one, other]), NodeBuffer.concat([one, other])]
          expect(octets(own)).to.deep.equal(octets(due))
          expect(own.equals(other)).to.equal(due.equals(other))
          expect(own.includes(browsers.Buffer.from(other))).to.equal(due.includes(NodeBuffer.from(other)))
          const [target, wanted] = [browsers.Buffer.alloc(6), NodeBuffer.alloc(6)]
          expect(own.copy(target, 1)).to.equal(due.copy(wanted, 1))
          expect(octets(target)).to.deep.equal(octets(wanted))
          expect(octets(own.subarray(1).reverse())).to.deep.equal(octets(due.subarray(1).reverse()))
        },
      ),
    )
  })
})
