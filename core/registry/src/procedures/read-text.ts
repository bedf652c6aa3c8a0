import { requestErrors } from '../kernel/request-errors.js'
import type { BodyStream } from '../kernel/upload.js'

/** A body as UTF-8; rejects with `bodyTooLarge`. */
export async function textOf({ stream }: BodyStream, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
