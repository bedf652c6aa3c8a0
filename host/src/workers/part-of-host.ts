import { partOfShares } from '@signed-registry/core'
import type { Config } from '../config/config.js'

/**
 * The configuration of one of so many workers: of what a host allows in memory each has its part, rounded up; 0 is no limit. Rates of
 * callers are not divided here, as workers lend them to each other (lend-rates.ts).
 */
export function partOfHost(config: Config, workers: number): Config {
  const { shares, limits, mail, connectionsPerAddress } = config
  return {
    ...config,
    shares: partOfShares(shares, workers),
    limits: { ...limits, stampedReportsPerHour: Math.ceil(limits.stampedReportsPerHour / workers) },
    connectionsPerAddress: Math.ceil(connectionsPerAddress / workers),
    // There are no more workers than mails in a second (config/contradictions.ts).
    mail: mail.kind === 'smtp' ? { ...mail, perSecond: Math.floor(mail.perSecond / workers) } : mail,
  }
}
