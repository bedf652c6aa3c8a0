import { requestErrors } from './request-errors.js'

/** An original that is being uploaded; never held in memory as a whole. */
export interface Upload {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: UploadStream
}

/** The bytes of an upload. Code that also reads them passes on a stream of its own, so that nobody else releases its chunks. */
export type UploadStream = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & {
  /** Frees the memory of a chunk that nobody reads any more; without it, garbage collection does, later. */
  readonly release?: (chunk: Uint8Array) => void
  /** Asks for the rest faster than usual, at the cost of memory for all of it. */
  readonly hurry?: () => void
}

/** A body of any type as a stream; nothing is read before it is consumed. */
export interface BodyStream {
  /** The type that its sender declared, such as `application/json`. */
  readonly type?: string | undefined
  /** Bytes, where its sender declared them. */
  readonly size?: number | undefined
  readonly stream: UploadStream
}

/** A body of at most `limit` bytes as UTF-8; rejects with `bodyTooLarge`. */
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
