/** The bytes of a file of any size, read in pieces, synchronously: the verifier waits for nothing. */
export interface ByteSource {
  readonly size: number
  /** Octets from one place to before another. */
  read(from: number, to: number): Uint8Array
}

/** Only workers have it. */
interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}
declare const FileReaderSync: { new (): SyncReader }

/** A file as the verifier reads it. */
export function byteSource(file: Blob): ByteSource {
  const reader = new FileReaderSync()
  return { size: file.size, read: (from, to) => new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to))) }
}

const PIECE = 4 * 2 ** 20

/** A file in pieces. */
export function* pieces({ size, read }: ByteSource): Generator<Uint8Array> {
  for (let from = 0; from < size; from += PIECE) yield read(from, Math.min(size, from + PIECE))
}
