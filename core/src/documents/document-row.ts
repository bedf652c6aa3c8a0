import { type Registrator, type RegistratorRow, readRegistrator, registratorToRow } from './registrator.js'
import type { DocumentSettings, EmailNotifications } from './schema.js'

/** A document as it is kept. */
export interface StoredDocument {
  readonly id: string
  readonly storedAt: number
  readonly title: string
  readonly description: string
  /** Bytes of the original; 0 until its hashes are fixed. */
  readonly signedDataSize: number
  /** When the hashes were fixed; `undefined` before. */
  readonly digestsFixedAt: number | undefined
  readonly settings: DocumentSettings
  readonly emailNotifications: EmailNotifications | undefined
  readonly signaturesTotal: number
  /** True when it was registered without a signature. */
  readonly preregistered: boolean
  /** The package that it is in. */
  readonly packageId: string | undefined
  readonly registrator: Registrator | undefined
}

export const DOCUMENT_COLUMNS = [
  'id',
  'stored_at',
  'title',
  'description',
  'signed_data_size',
  'digests_fixed_at',
  'settings',
  'email_notifications',
  'signatures_total',
  'preregistered',
  'package_id',
  'registrator_bin',
  'registrator_certificate',
] as const

export interface DocumentRow extends RegistratorRow {
  id: string
  stored_at: number
  title: string
  description: string
  signed_data_size: number
  digests_fixed_at: number | null
  settings: string
  email_notifications: string | null
  signatures_total: number
  preregistered: number | boolean
  package_id: string | null
}

/** The row that keeps a document. */
export const documentToRow = (document: StoredDocument): DocumentRow => ({
  id: document.id,
  stored_at: document.storedAt,
  title: document.title,
  description: document.description,
  signed_data_size: document.signedDataSize,
  digests_fixed_at: document.digestsFixedAt ?? null,
  settings: JSON.stringify(document.settings),
  email_notifications: document.emailNotifications ? JSON.stringify(document.emailNotifications) : null,
  signatures_total: document.signaturesTotal,
  preregistered: document.preregistered,
  package_id: document.packageId ?? null,
  ...registratorToRow(document.registrator),
})

/** The document that a row keeps. */
export const readDocumentRow = (row: DocumentRow): StoredDocument => ({
  id: row.id,
  storedAt: Number(row.stored_at),
  title: row.title,
  description: row.description,
  signedDataSize: Number(row.signed_data_size),
  digestsFixedAt: row.digests_fixed_at === null ? undefined : Number(row.digests_fixed_at),
  settings: JSON.parse(row.settings),
  emailNotifications: row.email_notifications === null ? undefined : JSON.parse(row.email_notifications),
  signaturesTotal: row.signatures_total,
  preregistered: Boolean(row.preregistered),
  packageId: row.package_id ?? undefined,
  registrator: readRegistrator(row),
})
