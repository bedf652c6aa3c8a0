import type { Upload } from '../kernel/upload.js'
import { receive } from '../originals/index.js'

/** An upload that is read by others, and is at hand afterwards. */
export interface Collected {
  readonly upload: Upload
  /** What has passed. */
  bytes(): Buffer
}

/** Keeps an upload in memory while it passes, and has it hurry; `CardWork` has room for it. */
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

/** All of an upload, when it is as long as was declared; `CardWork` has room for it. */
export async function bytesOf(upload: Upload): Promise<Buffer> {
  const { upload: passing, bytes } = collect(upload)
  await receive(passing, { algorithms: [] })
  return bytes()
}

/** Bytes as if they were sent. */
export const uploadOf = (bytes: Uint8Array): Upload => ({ size: bytes.length, stream: [bytes] })
