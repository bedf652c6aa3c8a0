import { crc32, deflateSync } from 'node:zlib'
import { PNG_SIGNATURE } from './chunks.js'

const GREYSCALE = 0
const COLOUR = 2

/** A picture with one bit per pixel, rows padded to full octets; 0 is black. */
export interface Bitmap {
  readonly size: number
  readonly rows: Uint8Array
}

/** A picture with three octets per pixel: red, green, blue. */
export interface ColourPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Encodes a picture as a greyscale PNG with one bit per pixel (ISO/IEC 15948). */
export const bitmapPng = ({ size, rows }: Bitmap): Uint8Array =>
  png({ width: size, height: size, depth: 1, type: GREYSCALE }, rows)

/** Encodes a picture as a PNG with three octets per pixel. */
export const colourPng = ({ width, height, pixels }: ColourPicture): Uint8Array =>
  png({ width, height, depth: 8, type: COLOUR }, pixels)

function png(head: { width: number; height: number; depth: number; type: number }, rows: Uint8Array): Uint8Array {
  const { width, height, depth, type } = head
  const stride = rows.length / height
  // Each row begins with its filter type: 0, none.
  const filtered = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) filtered.set(rows.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
