import { readPng } from '@signed-registry/core/qr'
import { expect } from 'chai'
import decodeQR from 'qr/decode.js'
import { codeWithLogo } from '#core/qr/code-with-logo.js'
import { png } from '../../support/png.js'

const TEXT = `mobileSign:https://registry.example.kz/api/govQr/app/${'Ab3'.repeat(7)}x`

interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** The picture as a camera sees it that is held askew: turned around its middle, on white. */
function turned({ width, height, pixels }: Picture, degrees: number): Picture {
  const size = Math.ceil(Math.hypot(width, height))
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const seen = new Uint8Array(size * size * 4).fill(255)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [dx, dy] = [x - size / 2, y - size / 2]
      const [fromX, fromY] = [Math.round(cos * dx + sin * dy + width / 2), Math.round(cos * dy - sin * dx + height / 2)]
      if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue
      const from = (fromY * width + fromX) * 4
      seen.set(pixels.subarray(from, from + 4), (y * size + x) * 4)
    }
  }
  return { width: size, height: size, pixels: seen }
}

/** The picture out of focus: each pixel the mean of those around it. */
function blurred({ width, height, pixels }: Picture, radius: number): Picture {
  const soft = new Uint8Array(pixels)
  for (let y = radius; y < height - radius; y++) {
    for (let x = radius; x < width - radius; x++) {
      let sum = 0
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) sum += pixels[((y + dy) * width + x + dx) * 4 + 1] ?? 0
      soft.fill(sum / (2 * radius + 1) ** 2, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { width, height, pixels: soft }
}

interface OnePixel {
  readonly colour: number
  readonly pixels: readonly number[]
  readonly palette?: readonly number[]
  readonly opacities?: readonly number[]
}

const onePixel = ({ colour, pixels, palette, opacities }: OnePixel): Buffer =>
  png({
    width: 1,
    height: 1,
    colour,
    pixels: Buffer.from(pixels),
    chunks: ([header, ...rest]) => [
      ...(header ? [header] : []),
      ...(palette ? [['PLTE', Buffer.from(palette)] as const] : []),
      ...(opacities ? [['tRNS', Buffer.from(opacities)] as const] : []),
      ...rest,
    ],
  })

const decoded = ({ width, height, pixels }: Picture): string => decodeQR({ width, height, data: pixels })

describe('the QR code on a screen', () => {
  // A logo of the largest size, dark and opaque: nothing of the code shines through.
  const dark = Buffer.concat(
    Array.from({ length: 102 }, () => Buffer.concat([Buffer.alloc(1), Buffer.alloc(102 * 4, 90)])),
  )
  const logo = png({ width: 102, height: 102, pixels: dark })
  for (const [name, code] of [
    ['without a logo', codeWithLogo(TEXT)],
    ['with the largest logo in the middle', codeWithLogo(TEXT, logo)],
  ] as const) {
    it(`${name} is read as it is, turned and blurred`, () => {
      const picture = readPng(code)
      expect(decoded(picture)).to.equal(TEXT)
      expect(decoded(blurred(turned(picture, 12), 3))).to.equal(TEXT)
    })
  }

  it('has the logo in the middle, for any kind of PNG', () => {
    const at = ({ width, pixels }: Picture, x: number, y: number) => [
      ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
    ]
    // One pixel of grey with 16 bits, then two of colour with a filter.
    const grey = png({ width: 1, height: 1, depth: 16, colour: 0, pixels: Buffer.from([0, 0x80, 0]) })
    const first = readPng(codeWithLogo(TEXT, grey))
    expect(at(first, first.width / 2 - 1, first.height / 2 - 1)).to.deep.equal([128, 128, 128])
    const colour = png({ width: 2, height: 1, depth: 8, colour: 2, pixels: Buffer.from([1, 10, 20, 30, 5, 5, 5]) })
    expect([...readPng(colour).pixels]).to.deep.equal([10, 20, 30, 255, 15, 25, 35, 255])
    const interlaced = png({
      width: 1,
      height: 1,
      depth: 1,
      colour: 0,
      interlaced: true,
      pixels: Buffer.from([0, 0x80]),
    })
    expect([...readPng(interlaced).pixels]).to.deep.equal([255, 255, 255, 255])
  })

  for (const [name, image, pixel] of [
    [
      'an indexed colour',
      { colour: 3, pixels: [0, 1], palette: [1, 2, 3, 40, 50, 60], opacities: [9, 77] },
      [40, 50, 60, 77],
    ],
    [
      'an indexed colour without opacity',
      { colour: 3, pixels: [0, 1], palette: [1, 2, 3, 40, 50, 60] },
      [40, 50, 60, 255],
    ],
    ['a grey that is transparent', { colour: 0, pixels: [0, 70], opacities: [0, 70] }, [70, 70, 70, 0]],
    ['a grey that is not', { colour: 0, pixels: [0, 70], opacities: [0, 71] }, [70, 70, 70, 255]],
    ['grey and opacity', { colour: 4, pixels: [0, 70, 5] }, [70, 70, 70, 5]],
    ['a colour that is transparent', { colour: 2, pixels: [0, 1, 2, 3], opacities: [0, 1, 0, 2, 0, 3] }, [1, 2, 3, 0]],
    ['a colour that is nearly so', { colour: 2, pixels: [0, 1, 2, 3], opacities: [0, 1, 0, 2, 0, 4] }, [1, 2, 3, 255]],
    ['colour and opacity', { colour: 6, pixels: [0, 1, 2, 3, 4] }, [1, 2, 3, 4]],
  ] as const satisfies readonly (readonly [string, OnePixel, readonly number[]])[]) {
    it(`reads ${name}`, () => {
      expect([...readPng(onePixel(image)).pixels]).to.deep.equal(pixel)
    })
  }
})
