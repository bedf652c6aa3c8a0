import { limits } from '../kernel/limits.js'

/** Limits of looking after other services; `createRegistry` takes any of them in its options. */
export interface StatusLimits {
  /** After how many milliseconds a check is repeated when nothing else shows that a service works; 0 for never. */
  readonly checkEveryMs: number
}
export const StatusLimits = limits<StatusLimits>('StatusLimits', { checkEveryMs: 10 * 60_000 })
