import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { checkLogo } from '#core/organizations/client-certificates.js'
import { checkPng, PngError } from '#core/png/index.js'
import { type PngChunk, type PngOptions, png } from '../../support/png.js'
import { refusalOf } from '../../support/refusal.js'

const any = () => undefined
/** Puts a chunk after the header. */
const withChunk = (extra: PngChunk) => (honest: PngChunk[]) => honest.toSpliced(1, 0, extra)
const palette = (bytes: number) => withChunk(['PLTE', Buffer.alloc(bytes)])

describe('a PNG image', () => {
  const good: Record<string, PngOptions> = {
    'of colours and transparency': {},
    'of colours': { colour: 2 },
    'of 16-bit colours': { colour: 2, depth: 16, width: 7 },
    'of one-bit greys': { colour: 0, depth: 1, width: 13, height: 5 },
    'of greys and transparency': { colour: 4, depth: 16 },
    'of a palette': { colour: 3, depth: 4, chunks: palette(48) },
    'that is interlaced': { width: 1, height: 1, interlaced: true, pixels: Buffer.alloc(5) },
    // Adam7 of 3x3 pixels: passes 1, 4, 5, 6 and 7 of 5, 5, 9, 10 and 13 bytes.
    'that is interlaced in several passes': { width: 3, height: 3, interlaced: true, pixels: Buffer.alloc(42) },
    'with text': { chunks: withChunk(['tEXt', Buffer.from('a\0b')]) },
    'with its pixels in two pieces': {
      chunks: (honest) =>
        honest.flatMap(([type, data]): PngChunk[] =>
          type === 'IDAT'
            ? [
                [type, data.subarray(0, 3)],
                [type, data.subarray(3)],
              ]
            : [[type, data]],
        ),
    },
  }
  for (const [name, options] of Object.entries(good)) {
    it(`${name} is taken`, () => checkPng(png(options), any))
  }

  const withHeader = (at: number, value: number) =>
    png({
      chunks: (honest) => honest.map(([type, data]) => [type, type === 'IHDR' ? data.fill(value, at, at + 1) : data]),
    })
  const without = (gone: string) => (honest: PngChunk[]) => honest.filter(([type]) => type !== gone)
  const bad: Record<string, Buffer> = {
    'that is empty': Buffer.alloc(0),
    'of another format': Buffer.from('GIF89a\u0001\u0000\u0001\u0000'),
    'that is only a signature': png().subarray(0, 8),
    'without a header': png({ chunks: without('IHDR') }),
    'without pixels': png({ chunks: without('IDAT') }),
    'without an end': png({ chunks: without('IEND') }),
    'with something after its end': Buffer.concat([png(), Buffer.of(0)]),
    'with a chunk after its end': png({ chunks: (honest) => [...honest, ['tEXt', Buffer.alloc(1)]] }),
    'that is cut off': png().subarray(0, -5),
    'with a chunk that claims 2 GiB': png({ chunks: without('IEND') }).fill(0x7f, 33, 34),
    'with a wrong checksum': png().fill(1, 29, 30),
    'with an unknown critical chunk': png({ chunks: withChunk(['EVIL', Buffer.alloc(0)]) }),
    'with a chunk without a name': png({ chunks: withChunk(['a\0cd', Buffer.alloc(0)]) }),
    'with two headers': png({ chunks: ([ihdr, ...rest]) => [ihdr as PngChunk, ihdr as PngChunk, ...rest] }),
    'whose pixels are interrupted': png({
      chunks: (honest) =>
        honest.flatMap(([type, data]): PngChunk[] =>
          type === 'IDAT'
            ? [
                [type, data],
                ['tEXt', Buffer.alloc(0)],
                [type, Buffer.alloc(0)],
              ]
            : [[type, data]],
        ),
    }),
    'with an unknown compression': withHeader(10, 1),
    'with an unknown filter method': withHeader(11, 1),
    'with an unknown interlacing': withHeader(12, 2),
    'of an unknown colour type': png({ colour: 5 }),
    'of a depth that its colour type has not': png({ colour: 2, depth: 4 }),
    'of a palette that it has not': png({ colour: 3 }),
    'of a palette of half colours': png({ colour: 3, chunks: palette(4) }),
    'of a palette of 257 colours': png({ colour: 3, chunks: palette(3 * 257) }),
    'without width': png({ width: 0 }),
    'with fewer pixels than its header says': png({ width: 3, height: 3, pixels: Buffer.alloc(18) }),
    'with more pixels than its header says': png({ pixels: Buffer.alloc(19) }),
    'that unpacks to 100 MB': png({ pixels: Buffer.alloc(100_000_000) }),
    'whose pixels are not packed': png({
      chunks: (honest) => honest.map(([type, data]) => (type === 'IDAT' ? [type, Buffer.alloc(18)] : [type, data])),
    }),
    'whose packed pixels end early': png({
      chunks: (honest) => honest.map(([type, data]) => [type, type === 'IDAT' ? data.subarray(0, -5) : data]),
    }),
    'with an unknown filter': png({ pixels: Buffer.alloc(18, 5) }),
  }
  for (const [name, image] of Object.entries(bad)) {
    it(`${name} is refused`, () => expect(() => checkPng(image, any)).to.throw(PngError))
  }

  it('is refused cleanly for every flipped bit and every truncation', () => {
    const image = png({ chunks: withChunk(['tEXt', Buffer.from('a\0b')]) })
    for (let bit = 0; bit < image.length * 8; bit += 1) {
      const copy = Buffer.from(image)
      copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => checkPng(copy, any), `bit ${bit}`).to.throw(PngError)
    }
    for (let end = 0; end < image.length; end += 1) {
      expect(() => checkPng(image.subarray(0, end), any), `end ${end}`).to.throw(PngError)
    }
  })

  it('is checked for its size before its pixels are decompressed', () => {
    const refused = new RangeError('too large')
    const bomb = png({
      width: 100_000,
      height: 100_000,
      chunks: (honest) => honest.map(([type, data]) => [type, type === 'IDAT' ? deflateSync(Buffer.alloc(9)) : data]),
      pixels: Buffer.alloc(1),
    })
    expect(() =>
      checkPng(bomb, () => {
        throw refused
      }),
    ).to.throw(refused)
  })
})

describe('a logo', () => {
  const base64 = (width: number, height: number, options: PngOptions = {}) =>
    png({ width, height, ...options }).toString('base64')

  it('for QR codes has at most 102x102 pixels', () => {
    checkLogo('qrLogo', base64(102, 102))
    checkLogo('qrLogo', base64(1, 50))
    for (const [width, height] of [
      [103, 102],
      [102, 103],
      [200, 100],
    ] as const) {
      const { code, details } = refusalOf(() => checkLogo('qrLogo', base64(width, height)))
      expect(code).to.equal('invalidLogoResolution')
      expect(details).to.deep.equal({ field: 'qrLogo', width, height })
    }
  })
  it('for cards has exactly 200x100 pixels', () => {
    checkLogo('ddcLogo', base64(200, 100))
    for (const [width, height] of [
      [199, 100],
      [200, 99],
      [100, 200],
      [400, 200],
    ] as const) {
      expect(refusalOf(() => checkLogo('ddcLogo', base64(width, height))).code).to.equal('invalidLogoResolution')
    }
  })
  it('whose header has a wrong size is refused', () => {
    const lying = base64(102, 102, { pixels: Buffer.alloc(4000 * (1 + 4 * 4000)) })
    expect(refusalOf(() => checkLogo('qrLogo', lying)).code).to.equal('invalidLogoFormat')
  })
  it('is canonical base64', () => {
    const good = base64(2, 2)
    for (const text of ['', '!', good.slice(0, -1), `${good}\n`, ` ${good}`, `data:image/png;base64,${good}`]) {
      expect(refusalOf(() => checkLogo('qrLogo', text)).code, JSON.stringify(text)).to.equal('invalidLogoFormat')
    }
  })
  it('has at most 64 KiB', () => {
    const padded = (bytes: number) => base64(2, 2, { chunks: withChunk(['tEXt', Buffer.alloc(bytes)]) })
    checkLogo('qrLogo', padded(65_000))
    expect(refusalOf(() => checkLogo('qrLogo', padded(66_000))).code).to.equal('invalidLogoSize')
    expect(refusalOf(() => checkLogo('qrLogo', 'A'.repeat(10_000_000))).code).to.equal('invalidLogoSize')
  })
})
