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
