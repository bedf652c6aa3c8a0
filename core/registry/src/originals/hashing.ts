/** Hashes by the OID of their algorithm. */
export type Digests = ReadonlyMap<string, Uint8Array>

/** Hashes a stream by several digest algorithms. */
export interface Hashing {
  /** Takes the next bytes; the buffer may be reused once it resolves. */
  update(chunk: Uint8Array): Promise<void> | void
  /** Finishes and answers the digests. */
  digests(): Promise<Digests> | Digests
  /** Aborts unfinished hashing. */
  drop(): void
}
