import { crc32, deflateSync } from 'node:zlib'

/** What a made PNG image says and is; honest unless told. */
export interface PngOptions {
  readonly width?: number
  readonly height?: number
  readonly depth?: number
  readonly colour?: number
  readonly interlaced?: boolean
  /** Unpacked bytes in place of the honest ones. */
  readonly pixels?: Buffer
  /** Changes the chunks: drop, double, replace. */
  readonly chunks?: (honest: PngChunk[]) => PngChunk[]
}

export type PngChunk = readonly [type: string, data: Buffer]

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG image. */
export function png({
  width = 2,
  height = 2,
  depth = 8,
  colour = 6,
  interlaced = false,
  ...rest
}: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8)
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 1
  const pixels = rest.pixels ?? Buffer.alloc(height * (1 + Math.ceil((width * samples * depth) / 8)))
  const honest: PngChunk[] = [
    ['IHDR', header],
    ['IDAT', deflateSync(pixels)],
    ['IEND', Buffer.alloc(0)],
  ]
  return Buffer.concat([SIGNATURE, ...(rest.chunks?.(honest) ?? honest).map(chunk)])
}

/** One chunk with its length and checksum. */
export function chunk([type, data]: PngChunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
