import * as node from 'node:zlib'
import { constants, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { array, assert, constantFrom, integer, property, tuple, uint8Array } from 'fast-check'
import { zlibInBrowsers } from '../../../support/as-in-browsers.js'

const MOST = 1024 * 1024

describe('node:zlib of the verifier in browsers', () => {
  let browsers: Awaited<ReturnType<typeof zlibInBrowsers>>
  before(async () => {
    browsers = await zlibInBrowsers()
  })

  /** What comes out, or what kind of error. */
  function outcome({ inflateSync }: Pick<typeof node, 'inflateSync'>, stored: Uint8Array, maxOutputLength = MOST) {
    try {
      return inflateSync(stored, { maxOutputLength }).toString('base64')
    } catch (error) {
      return error instanceof RangeError ? 'too large' : 'broken'
    }
  }
  const expectSame = (stored: Uint8Array, most?: number): void => {
    const hex = Buffer.from(stored).toString('hex').slice(0, 2000)
    expect(outcome(browsers, stored, most), hex).to.equal(outcome(node, stored, most))
  }

  /** Texts that repeat, and octets that do not. */
  const contents = array(tuple(uint8Array({ maxLength: 40 }), integer({ min: 0, max: 60 })), { maxLength: 20 }).map(
    (parts) => Buffer.concat(parts.flatMap(([octets, times]) => Array.from({ length: times }, () => octets))),
  )
  const strategies = constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
  )
  const streams = tuple(contents, strategies, integer({ min: 0, max: 9 })).map(([content, strategy, level]) =>
    deflateSync(content, { strategy, level }),
  )

  it('inflates what Node deflates, in every kind of block, and leaves what stands behind', () => {
    assert(
      property(streams, uint8Array({ maxLength: 5 }), (stored, behind) => {
        expectSame(stored)
        expectSame(Buffer.concat([stored, behind]))
      }),
      { numRuns: 200 },
    )
    const large = Buffer.from(Array.from({ length: 900_000 }, (_, at) => (at * at) >> 7))
    expectSame(deflateSync(large))
  })

  it('refuses what Node refuses: what ends too early', () => {
    assert(
      property(streams, (stored) => {
        for (let end = 0; end < Math.min(stored.length, 60); end += 1) expectSame(stored.subarray(0, end))
        for (let cut = 1; cut < Math.min(stored.length, 10); cut += 1) expectSame(stored.subarray(0, -cut))
      }),
      { numRuns: 50 },
    )
  })

  it('refuses what Node refuses: any bit of it changed', () => {
    assert(
      property(streams, integer({ min: 0 }), integer({ min: 0, max: 7 }), (stored, place, bit) => {
        for (const at of [place % stored.length, place % Math.min(stored.length, 20)]) {
          const changed = Buffer.from(stored)
          changed[at] = (changed[at] ?? 0) ^ (1 << bit)
          expectSame(changed)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('refuses what Node refuses: octets that are no stream, behind a header that is right', () => {
    assert(
      property(uint8Array({ maxLength: 80 }), (octets) =>
        expectSame(Buffer.concat([Buffer.from('789c', 'hex'), octets])),
      ),
      { numRuns: 3000 },
    )
    for (const header of ['', '78', '789d', '799c', '889c', '78bb', '7820'])
      expectSame(Buffer.concat([Buffer.from(header, 'hex'), deflateSync('A contract').subarray(2)]))
  })

  it('gives no more than it may, at once: a bomb, and one octet more', () => {
    const stored = deflateSync(Buffer.alloc(1000, 'again '))
    for (const most of [1, 999, 1000, 1001]) expectSame(stored, most)
    const bomb = deflateSync(Buffer.alloc(64 * MOST))
    expectSame(bomb)
    expectSame(bomb.subarray(0, -100))
    expect(outcome(browsers, bomb)).to.equal('too large')
  })
})
