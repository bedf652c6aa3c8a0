import { expect } from 'chai'
import fc from 'fast-check'
import { MAX_ENTRY_BYTES, readBundle, writeBundle } from '#verifier/log/bundle.js'
import { refusal } from '../../support/xml/refusal.js'

const entries = ['one', '', 'three'].map((entry) => Buffer.from(entry))
const bytes = writeBundle(entries)

describe('bundles of entries (C2SP tlog-tiles, Log entries)', () => {
  it('have each entry behind its length', () => {
    expect(bytes.toString('latin1')).to.equal('\0\x03one\0\0\0\x05three')
    const longest = writeBundle([Buffer.alloc(MAX_ENTRY_BYTES)])
    expect(longest.subarray(0, 2)).to.deep.equal(Buffer.of(0xff, 0xff))
    expect(longest.length).to.equal(2 + 0xffff)
  })

  it('are read as they were written, up to 256 entries of 65,535 octets', () => {
    const long = [255, 256, 257, MAX_ENTRY_BYTES].map((length) => Buffer.alloc(length, 7))
    expect(readBundle(writeBundle(long), 4).map((entry) => Buffer.from(entry))).to.deep.equal(long)
    const many = Array<Buffer>(256).fill(Buffer.of(1))
    expect(readBundle(writeBundle(many), 256)).to.have.length(256)
    const some = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 256 })
    fc.assert(
      fc.property(some, (entries) => {
        const read = readBundle(writeBundle(entries), entries.length)
        expect(read.map((entry) => Buffer.from(entry))).to.deep.equal(entries.map((entry) => Buffer.from(entry)))
      }),
    )
  })

  for (const [what, changed, width] of [
    ['an entry more', bytes, 2],
    ['an entry less', bytes, 4],
    ['nothing', Buffer.alloc(0), 1],
    ['half a length', Buffer.concat([bytes, Buffer.of(0)]), 4],
    ['half an entry', bytes.subarray(0, -1), 3],
    ['octets behind', Buffer.concat([bytes, Buffer.of(0)]), 3],
    ['something, where there are no entries', bytes, 0],
  ] as const)
    it(`are not read with ${what}`, () => {
      expect(refusal(() => readBundle(changed, width))).to.equal('logNotRead bundle')
    })

  it('have 1 to 256 entries of at most 65,535 octets', () => {
    expect(() => writeBundle([])).to.throw(RangeError)
    expect(() => writeBundle(Array<Buffer>(257).fill(Buffer.alloc(1)))).to.throw(RangeError)
    expect(() => writeBundle([Buffer.alloc(MAX_ENTRY_BYTES + 1)])).to.throw(RangeError)
  })
})
