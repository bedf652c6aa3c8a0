import encodeQR, { type ErrorCorrection } from 'qr'
import type { Bitmap } from '../png/index.js'

/** Level of error correction (ISO/IEC 18004). */
export type Level = 'L' | 'M' | 'Q' | 'H'
const LEVELS: Readonly<Record<Level, ErrorCorrection>> = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' }

/** Modules of silence around a code (ISO/IEC 18004, 9.1). */
const QUIET = 4
/** One pixel a module gets lost on paper. */
const PIXELS = 2
/** In an octet of a row. */
const MODULES = 8 / PIXELS

/** The modules of a code with the silence around it, row by row; true is dark. */
export const qrModules = (text: string, level: Level, version?: number): boolean[][] =>
  encodeQR(text, 'raw', {
    ecc: LEVELS[level],
    border: QUIET,
    encoding: 'byte',
    ...(version !== undefined && { version }),
  })

/** A code as a picture; of the smallest version that holds the text unless one is given. */
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

/** The pixels of the modules from here on; what lies beyond the row is white. */
function octetOf(row: readonly boolean[], x: number): number {
  return (row[x] ? 0 : 0xc0) | (row[x + 1] ? 0 : 0x30) | (row[x + 2] ? 0 : 0x0c) | (row[x + 3] ? 0 : 0x03)
}
