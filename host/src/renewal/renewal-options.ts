import type { RenewalOptions } from '@signed-registry/core'
import { OnlineTimestampSource } from '@signed-registry/online-authorities'
import type { Config } from '../config/config.js'

/** What the configuration says of renewing evidence, for `createRegistry` and for commands. */
export function renewalOptions({ renewal }: Pick<Config, 'renewal'>): 'off' | RenewalOptions {
  if (renewal === undefined) return 'off'
  const { leadDays, digests, tspUrl } = renewal
  return {
    ...{ leadDays, digests },
    ...(tspUrl !== undefined && { timestamps: new OnlineTimestampSource({ tspUrl }) }),
  }
}
