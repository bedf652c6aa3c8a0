import { limits } from '../kernel/limits.js'

export interface OrganizationLimits {
  /** Client certificates of an organization. */
  readonly tlsCertificates: number
  /** Entries of each list in an access control object. */
  readonly accessControlEntries: number
  /** Webhook addresses of each kind. */
  readonly webhookUrls: number
  /** Bytes of all settings of an organization, as JSON. */
  readonly organizationSettingsBytes: number
}
export const OrganizationLimits = limits<OrganizationLimits>('OrganizationLimits', {
  tlsCertificates: 100,
  accessControlEntries: 1000,
  webhookUrls: 20,
  organizationSettingsBytes: 2 * 1024 * 1024,
})
