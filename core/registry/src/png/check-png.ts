import { inflateSync } from 'node:zlib'
import { type Chunk, PngError, type PngSize, passesOf, readChunks } from './chunks.js'

interface Header extends PngSize {
  readonly bitsPerPixel: number
  readonly indexed: boolean
  readonly interlaced: boolean
}

/** Samples per pixel and allowed bit depths by colour type (ISO/IEC 15948, 11.2.2). */
const COLOUR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
const INDEXED = 3
const MAX_FILTER = 4

/**
 * Checks an entire PNG image: every chunk, and that it has as many pixels as its header says. `accept` may throw for a size
 * before any pixel is decompressed, which bounds the memory that an image can use. Throws `PngError`.
 */
export function checkPng(png: Uint8Array, accept: (size: PngSize) => void): void {
  const chunks = readChunks(png)
  const header = readHeader(chunks[0])
  accept(header)
  checkOrder(chunks, header)
  checkPixels(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)), header)
}

function readHeader(chunk: Chunk | undefined): Header {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13) throw new PngError('no header')
  const [depth = 0, type = 0, compression, filter, interlace = 0] = chunk.data.subarray(8)
  const colour = COLOUR_TYPES[type]
  if (!colour?.depths.includes(depth)) throw new PngError('the colour type is unknown')
  if (compression !== 0 || filter !== 0 || interlace > 1) throw new PngError('a method is unknown')
  const [width, height] = [chunk.data.readUInt32BE(0), chunk.data.readUInt32BE(4)]
  if (width === 0 || height === 0) throw new PngError('no pixels')
  return { width, height, bitsPerPixel: depth * colour.samples, indexed: type === INDEXED, interlaced: interlace === 1 }
}

/** Critical chunks must be known, in the order and number that the standard allows (5.6). */
function checkOrder(chunks: readonly Chunk[], { indexed }: Header): void {
  const isCritical = ({ type }: Chunk) => type < 'a'
  const critical = chunks.filter(isCritical).map(({ type }) => type)
  const order = /^IHDR(,PLTE)?(,IDAT)+,IEND$/.exec(critical.join())
  if (order === null || (indexed && order[1] === undefined)) throw new PngError('critical chunks are out of order')
  const first = chunks.findIndex(({ type }) => type === 'IDAT')
  const last = chunks.findLastIndex(({ type }) => type === 'IDAT')
  if (chunks.slice(first, last).some(({ type }) => type !== 'IDAT')) throw new PngError('pixels are interrupted')
  const end = chunks.at(-1)
  if (end?.type !== 'IEND' || end.data.length > 0) throw new PngError('no end')
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data.length ?? 3
  if (palette === 0 || palette % 3 !== 0 || palette > 3 * 256) throw new PngError('the palette is wrong')
}

function checkPixels(packed: Buffer, { width, height, bitsPerPixel, interlaced }: Header): void {
  const images = passesOf({ width, height }, interlaced).map(({ columns, rows }) => ({
    rows,
    rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8),
  }))
  const size = images.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0)
  const pixels = inflate(packed, size)
  if (pixels.length !== size) throw new PngError('other pixels than the header says')
  let at = 0
  for (const { rows, rowBytes } of images) {
    for (let row = 0; row < rows; row += 1, at += rowBytes) {
      if (pixels.readUInt8(at) > MAX_FILTER) throw new PngError('a filter is unknown')
    }
  }
}

function inflate(packed: Buffer, maxLength: number): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: maxLength })
  } catch (error) {
    throw new PngError('the pixels cannot be unpacked', { cause: error })
  }
}
