import { inflateSync } from 'node:zlib'
import { passesOf, readChunks } from './chunks.js'

/** A picture with four octets per pixel: red, green, blue, alpha. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

interface Format {
  readonly depth: number
  readonly type: number
  readonly samples: number
  readonly palette: Uint8Array
  readonly opacities: Uint8Array
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const [INDEXED, COLOUR, OPAQUE] = [3, 2, 255]
/** Decodes a PNG of any colour type (ISO/IEC 15948) that `checkPng` has accepted. */
export function readPng(png: Uint8Array): Picture {
  const chunks = readChunks(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height, depth, type] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header.readUInt8(8),
    header.readUInt8(9),
  ]
  const only = (name: string) => Buffer.concat(chunks.flatMap((chunk) => (chunk.type === name ? [chunk.data] : [])))
  const format = { depth, type, samples: SAMPLES[type] ?? 1, palette: only('PLTE'), opacities: only('tRNS') }
  const picture = { width, height, pixels: new Uint8Array(width * height * 4) }
  let rows: Uint8Array = inflateSync(only('IDAT'))
  for (const { x, y, dx, dy, columns, rows: lines } of passesOf(picture, header[12] === 1)) {
    const stride = Math.ceil((columns * depth * format.samples) / 8)
    const unfiltered = unfilter(rows, lines, stride, Math.max(1, (depth * format.samples) >> 3))
    for (let line = 0; line < lines; line++) {
      const row = unfiltered.subarray(line * stride, (line + 1) * stride)
      for (let column = 0; column < columns; column++) {
        setPixel(picture.pixels, ((y + line * dy) * width + x + column * dx) * 4, row, column, format)
      }
    }
    rows = rows.subarray((stride + 1) * lines)
  }
  return picture
}

/** Reverses the filters of rows (9.2). */
function unfilter(filtered: Uint8Array, lines: number, stride: number, bytesPerPixel: number): Uint8Array {
  const rows = new Uint8Array(lines * stride)
  for (let line = 0; line < lines; line++) {
    const filter = filtered[line * (stride + 1)]
    for (let n = 0; n < stride; n++) {
      const at = line * stride + n
      const left = n >= bytesPerPixel ? (rows[at - bytesPerPixel] ?? 0) : 0
      const up = line > 0 ? (rows[at - stride] ?? 0) : 0
      const corner = line > 0 && n >= bytesPerPixel ? (rows[at - stride - bytesPerPixel] ?? 0) : 0
      rows[at] = (filtered[line * (stride + 1) + 1 + n] ?? 0) + predicted(filter, left, up, corner)
    }
  }
  return rows
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** Writes red, green, blue and alpha of one pixel at `to`. */
function setPixel(pixels: Uint8Array, to: number, row: Uint8Array, column: number, format: Format): void {
  const { depth, type, samples, palette, opacities } = format
  const first = column * samples
  if (type === INDEXED) {
    const index = sample(row, first, depth)
    for (let n = 0; n < 3; n++) pixels[to + n] = palette[index * 3 + n] ?? 0
    pixels[to + 3] = opacities[index] ?? OPAQUE
    return
  }
  const step = (type & COLOUR) === 0 ? 0 : 1
  for (let n = 0; n < 3; n++) pixels[to + n] = octetOf(sample(row, first + n * step, depth), depth)
  const hasAlpha = samples === 2 || samples === 4
  pixels[to + 3] = hasAlpha ? octetOf(sample(row, first + samples - 1, depth), depth) : OPAQUE
  if (isTransparent(row, first, format)) pixels[to + 3] = 0
}

/** A sample of `depth` bits as one of eight. */
function octetOf(value: number, depth: number): number {
  if (depth === 8) return value
  return depth === 16 ? value >> 8 : Math.round((value * 255) / (2 ** depth - 1))
}

/** True for the colour that tRNS declares transparent in an image without alpha channel (11.3.2.1). */
function isTransparent(row: Uint8Array, first: number, { depth, samples, opacities }: Format): boolean {
  if (opacities.length < samples * 2) return false
  for (let n = 0; n < samples; n++) {
    if (sample(row, first + n, depth) !== sample(opacities, n, 16)) return false
  }
  return true
}

function sample(row: Uint8Array, n: number, depth: number): number {
  if (depth === 16) return ((row[n * 2] ?? 0) << 8) | (row[n * 2 + 1] ?? 0)
  if (depth === 8) return row[n] ?? 0
  const bit = n * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}
