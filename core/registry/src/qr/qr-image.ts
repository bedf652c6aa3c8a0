import encodeQR, { type ErrorCorrection } from 'qr'
import type { Bitmap } from '../png/index.js'

/** Error correction level (ISO/IEC 18004). */
export type Level = 'L' | 'M' | 'Q' | 'H'
const LEVELS: Readonly<Record<Level, ErrorCorrection>> = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' }

/** Modules of the quiet zone around a code (ISO/IEC 18004, 9.1). */
const QUIET = 4
/** Pixels per module in print, where a single one would get lost. */
const PIXELS = 2
/** The modules of a code with its quiet zone, row by row; true is dark. */
export const qrModules = (text: string, level: Level, version?: number): boolean[][] =>
  encodeQR(text, 'raw', {
    ecc: LEVELS[level],
    border: QUIET,
    encoding: 'byte',
    ...(version !== undefined && { version }),
  })

/** A code as a picture for print, of the smallest version that fits the text unless one is given. */
export const qrBitmap = (text: string, level: Level, version?: number): Bitmap =>
  bitmapOf(qrModules(text, level, version), PIXELS)

/** A picture of modules with so many pixels in width and height of each. */
export function bitmapOf(modules: readonly (readonly boolean[])[], pixels: number): Bitmap {
  const size = modules.length * pixels
  const stride = Math.ceil(size / 8)
  const rows = new Uint8Array(stride * size).fill(255)
  modules.forEach((row, y) => {
    const first = y * pixels * stride
    row.forEach((dark, x) => {
      if (dark) darken(rows, first * 8 + x * pixels, pixels)
    })
    for (let n = 1; n < pixels; n++) rows.copyWithin(first + n * stride, first, first + stride)
  })
  return { size, rows }
}

function darken(rows: Uint8Array, first: number, pixels: number): void {
  const end = first + pixels
  // As many pixels at a time as are in one octet.
  for (let at = first; at < end; ) {
    const count = Math.min(8 - (at & 7), end - at)
    const bits = (0xff >> (at & 7)) & (0xff << (8 - (at & 7) - count))
    rows[at >> 3] = (rows[at >> 3] ?? 0) & ~bits
    at += count
  }
}
