import { type Finding, systemClock } from '@signed-registry/core'
import { ConfiguredTrust } from './configured-trust.js'
import type { OnlineAuthoritiesOptions } from './options.js'

const DAY = 24 * 60 * 60 * 1000
const WARN_DAYS = 90

/** Trust anchors and issuing CAs, and when they expire. */
export async function lookAtTrust(authorities: OnlineAuthoritiesOptions): Promise<Finding[]> {
  const {
    anchors,
    intermediates,
    crls = [],
  } = new ConfiguredTrust(authorities.trustAnchors, systemClock, authorities.trustedResponders).trust()
  const expiring = [...anchors, ...intermediates].flatMap(({ subject, notAfter }): Finding[] => {
    const days = Math.floor((notAfter - Date.now()) / DAY)
    if (days >= WARN_DAYS) return []
    return [{ state: 'warn', text: `${subject} ${days < 0 ? 'has expired' : `expires in ${days} days`}` }]
  })
  // Those that have ended stay, for what was signed under them.
  if (anchors.every(({ notAfter }) => notAfter <= Date.now()))
    expiring.push({
      state: 'fail',
      text: 'every trust anchor has expired: nobody can sign; add those that took their place',
    })
  const text = `${anchors.length} trust anchors, ${intermediates.length} issuing CAs, ${crls.length} CRLs`
  return [{ state: 'ok', text }, ...expiring]
}
