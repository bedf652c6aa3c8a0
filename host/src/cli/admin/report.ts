import type { Account } from '@signed-registry/core'

/** An account in a few lines for a person. */
export function report({ owner, isKnown, subscription, ...archive }: Account): string {
  const { dataArchiveUsage, dataArchiveQuota, dataArchiveQuotaExpires } = archive
  const until = dataArchiveQuotaExpires === undefined ? '' : `, until ${date(dataArchiveQuotaExpires)}`
  const lines = [
    isKnown ? owner : `${owner} (the registry has not met it yet; these are the defaults)`,
    `  archive       ${dataArchiveUsage} of ${dataArchiveQuota} bytes${until}`,
  ]
  if (subscription) {
    const { name, expires, contactEmail, features } = subscription
    const off = features.filter(({ enabled }) => !enabled).map(({ name }) => name)
    lines.push(`  subscription  ${name}, ${expires === 0 ? 'without expiry' : `until ${date(expires)}`}`)
    lines.push(`  contact       ${contactEmail ?? 'none'}`)
    lines.push(`  features      ${off.length === 0 ? 'all on' : `all on but ${off.join(', ')}`}`)
  }
  return `${lines.join('\n')}\n`
}

const date = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z')
