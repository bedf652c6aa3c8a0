/** Bytes that are passed on at a time: enough for the way to cost little, and little to hold. */
const CHUNK = 256 * 1024

/** Gathers pieces of any length into chunks; copies each once, before it asks for more. */
export async function* chunksOf(pieces: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  for await (const list of pieces) {
    for (const piece of list) {
      for (let at = 0; at < piece.length; ) {
        const length = Math.min(CHUNK - filled, piece.length - at)
        chunk.set(piece.subarray(at, at + length), filled)
        at += length
        filled += length
        if (filled === CHUNK) {
          yield chunk
          chunk = Buffer.allocUnsafe(CHUNK)
          filled = 0
        }
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
