import { token } from './token.js'

/** Limits of sizes and counts (specification, "Limits"); `createRegistry` takes any of them in its options. */
export interface Limits {
  /** Characters of a document title. */
  readonly title: number
  /** Characters of a description. */
  readonly description: number
  /** E-mail addresses in one request. */
  readonly emails: number
  /** Signatures in one answer of `GET /api/{id}`. */
  readonly signaturesPerCall: number
  /** Items in one page of a list. */
  readonly itemsPerPage: number
  /** Events in one answer of a settings audit. */
  readonly auditEventsPerCall: number
  /** Bytes that a user or an organization may archive unless an administrator has set another quota. */
  readonly archiveQuota: number
  /** Documents of a package. */
  readonly packageDocuments: number
  /** Comments under an incoming or outgoing item. */
  readonly commentsPerItem: number
  /** Characters of a comment. */
  readonly comment: number
  /** Items of one document or package that wait for it to be complete. */
  readonly waitingItems: number
  /** Milliseconds that an item waits for its document or package to be complete. */
  readonly sendingMs: number
  /** Client certificates of an organization. */
  readonly tlsCertificates: number
  /** Elements of each list in an access control object. */
  readonly accessControlEntries: number
  /** Webhook addresses of each kind. */
  readonly webhookUrls: number
  /** Bytes of all settings of an organization, as JSON. */
  readonly organizationSettingsBytes: number
}
export const Limits = token<Limits>('Limits')

export const defaultLimits: Limits = {
  title: 255,
  description: 2000,
  emails: 20,
  signaturesPerCall: 50,
  itemsPerPage: 100,
  auditEventsPerCall: 100,
  archiveQuota: 100 * 1024 * 1024,
  packageDocuments: 50,
  commentsPerItem: 100,
  comment: 4000,
  waitingItems: 100,
  sendingMs: 24 * 60 * 60 * 1000,
  tlsCertificates: 100,
  accessControlEntries: 1000,
  webhookUrls: 20,
  organizationSettingsBytes: 2 * 1024 * 1024,
}
