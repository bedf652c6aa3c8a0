import type { Upload } from '../kernel/upload.js'
import { receive } from './receive.js'

/** An upload that is kept in memory while others read it. */
export interface Collected {
  readonly upload: Upload
  /** The bytes that were read. */
  bytes(): Buffer
}

/** Keeps an upload in memory while it is read, at full speed; `CardWork` has reserved the memory. */
export function collect(upload: Upload): Collected {
  const chunks: Uint8Array[] = []
  upload.stream.hurry?.()
  async function* passing() {
    for await (const chunk of upload.stream) {
      chunks.push(chunk)
      yield chunk
    }
  }
  return { upload: { size: upload.size, stream: passing() }, bytes: () => Buffer.concat(chunks) }
}

/** All bytes of an upload, if it has its declared size; `CardWork` has reserved the memory. */
export async function bytesOf(upload: Upload): Promise<Buffer> {
  const { upload: passing, bytes } = collect(upload)
  await receive(passing, { algorithms: [] })
  return bytes()
}

/** Bytes in memory as a stream. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Bytes in memory as an upload. */
export const uploadOf = (bytes: Uint8Array): Upload => ({ size: bytes.length, stream: [bytes] })
