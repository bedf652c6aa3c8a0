import { requestErrors } from '../kernel/request-errors.js'
import type { Upload } from '../kernel/upload.js'
import { receive } from '../originals/index.js'

/** An upload that is read by others, and is at hand afterwards. */
export interface Collected {
  readonly upload: Upload
  /** What has passed. */
  bytes(): Buffer
}

/** Keeps an upload in memory while it passes. Throws `bodyTooLarge` when it is declared as larger than `limit`. */
export function collect(upload: Upload, limit: number): Collected {
  if (upload.size > limit) throw requestErrors.error('bodyTooLarge', { limit })
  const chunks: Uint8Array[] = []
  async function* passing() {
    for await (const chunk of upload.stream) {
      chunks.push(chunk)
      yield chunk
    }
  }
  return { upload: { size: upload.size, stream: passing() }, bytes: () => Buffer.concat(chunks) }
}

/** All of an upload, when it is as long as was declared and not longer than `limit`. */
export async function wholeOf(upload: Upload, limit: number): Promise<Buffer> {
  const { upload: passing, bytes } = collect(upload, limit)
  await receive(passing, { algorithms: [] })
  return bytes()
}

/** Bytes as if they were sent. */
export const uploadOf = (bytes: Uint8Array): Upload => ({ size: bytes.length, stream: [bytes] })
