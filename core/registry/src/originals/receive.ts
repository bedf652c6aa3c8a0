import type { Upload, UploadStream } from '../kernel/upload.js'
import { digestAlgorithm } from '../signatures/index.js'
import { originalErrors } from './errors.js'
import { ThreadHashing } from './hash-threads.js'
import type { Digests, Hashing } from './hashing.js'

/** What an original is taken in for. */
export interface Receiving {
  /** OIDs of the digest algorithms that it is hashed with. */
  readonly algorithms: Iterable<string>
  /**
   * Reads the original while it is hashed, such as to keep it. Its end is the promise that all of it came, as many bytes as
   * were declared; what is left unread is hashed all the same.
   */
  readonly keep?: ((original: Upload) => Promise<void>) | undefined
}

/** What this process hashes itself; more is for threads, so that others need not wait. */
const HERE_BYTES = 2 ** 20
/** Digests of our own code take that much longer than those of Node. */
const OWN_CODE = 10

/** Takes in an original in one pass, and answers its hashes. Rejects with `processedSizeDiffers`, or as `keep` does. */
export async function receive(upload: Upload, { algorithms, keep }: Receiving): Promise<Digests> {
  const hashing = beginHashing(algorithms, upload.size)
  // Who keeps it may look at a chunk for longer.
  const passing = hashed(upload, hashing, keep === undefined ? upload.stream.release : undefined)
  try {
    // Without `return`, so that who stops reading does not end the pass.
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

/** Hashes `size` bytes in this thread where that is done soon, else in others, every algorithm beside the others. */
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
