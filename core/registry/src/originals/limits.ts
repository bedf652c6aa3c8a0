import { limits } from '../kernel/limits.js'

/** Limits of stored originals; `createRegistry` takes any of them in its options. */
export interface OriginalLimits {
  /** Temporary storage of originals from strangers, at most: milliseconds after the registration; 0 for none. */
  readonly strangersTempStorageMs: number
}
export const OriginalLimits = limits<OriginalLimits>('OriginalLimits', { strangersTempStorageMs: 24 * 60 * 60_000 })
