import type { Piece } from './crc.js'

/** Bytes of a piece that goes on as it is: copying what is small costs less than passing it on. */
const LARGE = 16 * 1024
const CHUNK = 64 * 1024

/** Gathers small pieces into chunks, and passes large ones on without a copy. */
export async function* chunksOf(pieces: AsyncIterable<readonly Piece[]>): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  for await (const list of pieces) {
    for (const { bytes } of list) {
      const isLarge = bytes.length >= LARGE
      if (filled > 0 && (isLarge || filled + bytes.length > chunk.length)) {
        yield chunk.subarray(0, filled)
        chunk = chunk.subarray(filled)
        filled = 0
        if (chunk.length < LARGE) chunk = Buffer.allocUnsafe(CHUNK)
      }
      if (isLarge) yield bytes
      else {
        chunk.set(bytes, filled)
        filled += bytes.length
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
