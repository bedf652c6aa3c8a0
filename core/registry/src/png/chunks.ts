import { crc32 } from 'node:zlib'

/** A fault in a PNG image. */
export class PngError extends Error {
  override readonly name = 'PngError'
}

/** Width and height in pixels. */
export interface PngSize {
  readonly width: number
  readonly height: number
}

/** A chunk of a PNG image: its four-letter type and its data. */
export interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** The signature of PNG files. */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** The chunks of an image, with their checksums verified (ISO/IEC 15948, 5.3). Throws `PngError`. */
export function readChunks(image: Uint8Array): Chunk[] {
  const png = Buffer.from(image.buffer, image.byteOffset, image.length)
  if (!png.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) throw new PngError('not a PNG signature')
  const chunks: Chunk[] = []
  let at = PNG_SIGNATURE.length
  while (at < png.length) {
    if (png.length - at < 12) throw new PngError('a chunk is cut off')
    const length = png.readUInt32BE(at)
    if (length > png.length - at - 12) throw new PngError('a chunk is longer than the image')
    const named = png.subarray(at + 4, at + 8 + length)
    if (crc32(named) !== png.readUInt32BE(at + 8 + length)) throw new PngError('the checksum of a chunk is wrong')
    const type = named.toString('latin1', 0, 4)
    if (!/^[A-Za-z]{4}$/.test(type)) throw new PngError('a chunk has no name')
    chunks.push({ type, data: named.subarray(4) })
    at += 12 + length
  }
  return chunks
}

/** Adam7: first column and row, and their steps, for each pass. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const WHOLE = [[0, 0, 1, 1]] as const

/** Every `dx`th column from `x` and every `dy`th row from `y`: an entire image, or a pass of an interlaced one. */
export interface Pass {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
  readonly columns: number
  readonly rows: number
}

/** The passes of an image that have pixels. */
export const passesOf = ({ width, height }: PngSize, interlaced: boolean): Pass[] =>
  (interlaced ? PASSES : WHOLE)
    .map(([x, y, dx, dy]) => ({
      x,
      y,
      dx,
      dy,
      columns: Math.ceil((width - x) / dx),
      rows: Math.ceil((height - y) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
