import type { Upload, UploadStream } from '../kernel/upload.js'
import { digestAlgorithm } from '../signatures/index.js'
import { originalErrors } from './errors.js'
import { ThreadHashing } from './hash-threads.js'
import type { Digests, Hashing } from './hashing.js'

/** What to do with an uploaded original. */
export interface Receiving {
  /** OIDs of the digest algorithms that it is hashed with. */
  readonly algorithms: Iterable<string>
  /**
   * Reads the original while it is hashed, such as to store it. Its stream only ends after as many bytes as were declared;
   * what it leaves unread is hashed all the same.
   */
  readonly keep?: ((original: Upload) => Promise<void>) | undefined
}

/** Larger originals are hashed in threads, so that they do not block other requests. */
const HERE_BYTES = 2 ** 20
/** How much slower digests in our own code are than those of Node. */
const OWN_CODE = 10

/** Reads an original in one pass and answers its hashes. Rejects with `processedSizeDiffers`, or as `keep` does. */
export async function receive(upload: Upload, { algorithms, keep }: Receiving): Promise<Digests> {
  const hashing = beginHashing(algorithms, upload.size)
  // `keep` may hold a chunk for longer.
  const passing = hashed(upload, hashing, keep === undefined ? upload.stream.release : undefined)
  try {
    // Without `return`, so that a consumer that stops early does not end the hashing.
    if (keep) await keep({ ...upload, stream: { [Symbol.asyncIterator]: () => ({ next: () => passing.next() }) } })
    for await (const _ of passing);
    return await hashing.digests()
  } finally {
    hashing.drop()
    await passing.return(undefined)
  }
}

async function* hashed(
  { size, stream }: Upload,
  hashing: Hashing,
  release?: UploadStream['release'],
): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of stream) {
    received += chunk.length
    if (received > size) break
    await hashing.update(chunk)
    yield chunk
    release?.(chunk)
  }
  if (received !== size) throw originalErrors.error('processedSizeDiffers', { declared: size, received })
}

/** Hashes in this thread where `size` makes that quick, else in parallel threads. */
function beginHashing(algorithms: Iterable<string>, size: number): Hashing {
  const chosen = [...new Set(algorithms)].map((oid) => digestAlgorithm(oid))
  const costs = chosen.map(({ oid, nodeName }) => ({ oid, cost: nodeName === undefined ? OWN_CODE : 1 }))
  const effort = size * costs.reduce((sum, { cost }) => sum + cost, 0)
  return effort > HERE_BYTES ? new ThreadHashing(costs, size) : hashHere(costs.map(({ oid }) => oid))
}

/** Hashes in this thread. */
function hashHere(algorithms: readonly string[]): Hashing {
  const hashers = algorithms.map((oid) => [oid, digestAlgorithm(oid).create()] as const)
  return {
    update(chunk) {
      for (const [, hasher] of hashers) hasher.update(chunk)
    },
    digests: () => new Map(hashers.map(([oid, hasher]) => [oid, hasher.digest()])),
    drop: () => undefined,
  }
}
