import { digestAlgorithm, type Hasher } from '../signatures/index.js'
import type { Digests } from './document-store.js'
import { documentErrors } from './errors.js'

/** An original on its way in; never held in memory whole. */
export interface Upload {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Streams an original through the given digest algorithms (OIDs). Rejects with `processedSizeDiffers`. */
export async function digestUpload(upload: Upload, algorithms: Iterable<string>): Promise<Digests> {
  const hashers = new Map<string, Hasher>()
  for (const oid of algorithms) hashers.set(oid, digestAlgorithm(oid).create())
  let size = 0
  for await (const chunk of upload.stream) {
    size += chunk.length
    if (size > upload.size) break
    for (const hasher of hashers.values()) hasher.update(chunk)
  }
  if (size !== upload.size) {
    throw documentErrors.error('processedSizeDiffers', { declared: upload.size, received: size })
  }
  return new Map([...hashers].map(([oid, hasher]) => [oid, hasher.digest()]))
}
