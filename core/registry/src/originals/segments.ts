/** Bytes of a segment, the unit of encryption and checks. */
export const SEGMENT = 1024 * 1024

/** Splits a stream into pieces of `length` bytes, each a buffer of its own; the last may be shorter. */
export async function* piecesOf(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: number,
): AsyncGenerator<Buffer> {
  let piece: Buffer | undefined
  let filled = 0
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; ) {
      piece ??= Buffer.allocUnsafeSlow(length)
      const taken = Math.min(length - filled, chunk.length - at)
      piece.set(chunk.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      if (filled === length) {
        yield piece
        piece = undefined
        filled = 0
      }
    }
  }
  if (piece !== undefined && filled > 0) yield piece.subarray(0, filled)
}

/** Numbers of the segments that a range touches: `first` (inclusive) to `end` (exclusive). */
export const segmentsOf = ({ start, end }: { start: number; end: number }): { first: number; end: number } => ({
  first: Math.floor(start / SEGMENT),
  end: Math.ceil(end / SEGMENT),
})
