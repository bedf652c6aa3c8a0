import { bitmapPng, colourPng, readPng } from '../png/index.js'
import { bitmapOf, qrModules } from './qr-image.js'

/** Pixels per module: a logo of 102 pixels then covers less than a fifth of the width, which level H tolerates. */
const PIXELS = 10
/** White pixels around the logo. */
const MARGIN = 4

/**
 * A code to scan from a screen, as a PNG: level H, with an optional logo (PNG, at most 102x102 pixels) in the middle.
 */
export function codeWithLogo(text: string, logo?: Uint8Array): Uint8Array {
  const modules = qrModules(text, 'H')
  if (logo === undefined) return bitmapPng(bitmapOf(modules, PIXELS), 'runs')
  const size = modules.length * PIXELS
  const pixels = coloured(modules, size)
  place(logo, pixels, size)
  return colourPng({ width: size, height: size, pixels })
}

/** The modules with three octets per pixel. */
function coloured(modules: readonly (readonly boolean[])[], size: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 3).fill(255)
  modules.forEach((row, y) => {
    const first = y * PIXELS * size * 3
    row.forEach((dark, x) => {
      if (dark) pixels.fill(0, first + x * PIXELS * 3, first + (x + 1) * PIXELS * 3)
    })
    for (let n = 1; n < PIXELS; n++) pixels.copyWithin(first + n * size * 3, first, first + size * 3)
  })
  return pixels
}

function place(logo: Uint8Array, pixels: Uint8Array, size: number): void {
  const { width, height, pixels: drawn } = readPng(logo)
  const [left, top] = [(size - width) >> 1, (size - height) >> 1]
  for (let y = top - MARGIN; y < top + height + MARGIN; y++) {
    pixels.fill(255, (y * size + left - MARGIN) * 3, (y * size + left + width + MARGIN) * 3)
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4
      const opacity = drawn[from + 3] ?? 0
      for (let n = 0; n < 3; n++) {
        const over = ((drawn[from + n] ?? 0) * opacity + 255 * (255 - opacity)) / 255
        pixels[((top + y) * size + left + x) * 3 + n] = Math.round(over)
      }
    }
  }
}
