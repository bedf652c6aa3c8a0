import encodeQR, { type ErrorCorrection } from 'qr'
import type { Bitmap } from '../png/index.js'

/** Error correction level (ISO/IEC 18004). */
export type Level = 'L' | 'M' | 'Q' | 'H'
const LEVELS: Readonly<Record<Level, ErrorCorrection>> = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' }

/** Modules of the quiet zone around a code (ISO/IEC 18004, 9.1). */
const QUIET = 4
/** Pixels per module; a single one would get lost in print. */
const PIXELS = 2
/** Modules in an octet of a row. */
const MODULES = 8 / PIXELS

/** The modules of a code with its quiet zone, row by row; true is dark. */
export const qrModules = (text: string, level: Level, version?: number): boolean[][] =>
  encodeQR(text, 'raw', {
    ecc: LEVELS[level],
    border: QUIET,
    encoding: 'byte',
    ...(version !== undefined && { version }),
  })

/** A code as a picture, of the smallest version that fits the text unless one is given. */
export function qrBitmap(text: string, level: Level, version?: number): Bitmap {
  const modules = qrModules(text, level, version)
  const size = modules.length * PIXELS
  const stride = Math.ceil(size / 8)
  const rows = new Uint8Array(stride * size)
  modules.forEach((row, y) => {
    const first = y * PIXELS * stride
    for (let at = 0; at < stride; at++) rows[first + at] = octetOf(row, at * MODULES)
    rows.copyWithin(first + stride, first, first + stride)
  })
  return { size, rows }
}

/** An octet of pixels from module `x`; beyond the row it is white. */
function octetOf(row: readonly boolean[], x: number): number {
  return (row[x] ? 0 : 0xc0) | (row[x + 1] ? 0 : 0x30) | (row[x + 2] ? 0 : 0x0c) | (row[x + 3] ? 0 : 0x03)
}
