import { digestAlgorithm } from '../signatures/index.js'

/** Hashes by the OID of their algorithm. */
export type Digests = ReadonlyMap<string, Uint8Array>

/** Hashes what passes by several digest algorithms. */
export interface Hashing {
  /** Takes the next bytes; when it resolves they may change. */
  update(chunk: Uint8Array): Promise<void> | void
  /** Ends it. */
  digests(): Promise<Digests> | Digests
  /** Lets go of what is not ended. */
  drop(): void
}

/** Hashes in this thread. */
export function hashHere(algorithms: readonly string[]): Hashing {
  const hashers = algorithms.map((oid) => [oid, digestAlgorithm(oid).create()] as const)
  return {
    update(chunk) {
      for (const [, hasher] of hashers) hasher.update(chunk)
    },
    digests: () => new Map(hashers.map(([oid, hasher]) => [oid, hasher.digest()])),
    drop: () => undefined,
  }
}
