/** Bytes that are read a piece at a time: memory, a file, or a `Blob` in a worker. */
export interface ByteSource {
  readonly size: number
  /** The bytes from `from` to, but not including, `to`, which lie inside; the caller does not change them. */
  read(from: number, to: number): Uint8Array
}

/** What is in memory. */
export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (from, to) => bytes.subarray(from, to),
})

/** A part of a source. */
export const partOf = (source: ByteSource, start: number, size: number): ByteSource => ({
  size,
  read: (from, to) => source.read(start + from, start + to),
})

const PIECE = 1024 * 1024

/** The bytes of a source in order, a piece at a time. */
export function* piecesOf(source: ByteSource): Generator<Uint8Array> {
  for (let at = 0; at < source.size; at += PIECE) yield source.read(at, Math.min(at + PIECE, source.size))
}
