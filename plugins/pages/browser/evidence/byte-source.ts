import type { ByteSource } from '@signed-registry/verifier/evidence'

/** Only workers have it. */
interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}
declare const FileReaderSync: { new (): SyncReader }

/** Each read asks another process: small reads, as of the headers of blocks, are served from one that goes on behind them. */
const AHEAD = 4 * 1024 * 1024

/** A file of any size as the verifier reads it: in pieces, synchronously, since it waits for nothing. */
export function byteSource(file: Blob): ByteSource {
  const reader = new FileReaderSync()
  const bytes = (from: number, to: number) => new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to)))
  let start = 0
  let held = new Uint8Array()
  return {
    size: file.size,
    read(from, to) {
      if (to - from > AHEAD) return bytes(from, to)
      if (from < start || to > start + held.length) {
        held = bytes(from, from + AHEAD)
        start = from
      }
      return held.subarray(from - start, to - start)
    },
  }
}
