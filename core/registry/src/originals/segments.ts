/** Bytes of a segment: what is hashed, encrypted and checked at once. */
export const SEGMENT = 1024 * 1024

/** Cuts a stream into pieces of `length` bytes; the last may be shorter. Each piece is a buffer of its own. */
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

/** Numbers of the segments that a range touches: from `first` up to and without `end`. */
export const segmentsOf = ({ start, end }: { start: number; end: number }): { first: number; end: number } => ({
  first: Math.floor(start / SEGMENT),
  end: Math.ceil(end / SEGMENT),
})
