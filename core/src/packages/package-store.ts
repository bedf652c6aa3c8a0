import { Database } from '../database/database.js'
import {
  type DocumentSettings,
  type Registrator,
  type RegistratorRow,
  readRegistrator,
  registratorToRow,
} from '../documents/index.js'
import { ID_PATTERN } from '../kernel/ids.js'
import { packageErrors } from './errors.js'
import type { PackageEmailNotifications, PackageSettings } from './schema.js'

/** A package as it is kept. */
export interface StoredPackage {
  readonly id: string
  readonly storedAt: number
  readonly title: string
  readonly description: string
  readonly settings: PackageSettings
  /** As they were applied to each document at registration. */
  readonly documentsSettings: DocumentSettings
  /** In the order of registration, which is that of signatures too. */
  readonly documentsIds: readonly string[]
  readonly emailNotifications: PackageEmailNotifications | undefined
  /** The person, or the employee where there is a BIN, who registered it. */
  readonly registeredBy: { readonly iin: string; readonly bin?: string | undefined } | undefined
  readonly registrator: Registrator | undefined
}

const COLUMNS = [
  'id',
  'stored_at',
  'title',
  'description',
  'settings',
  'documents_settings',
  'documents_ids',
  'email_notifications',
  'registered_by_iin',
  'registered_by_bin',
  'registrator_bin',
  'registrator_certificate',
] as const

interface Row extends RegistratorRow {
  id: string
  stored_at: number
  title: string
  description: string
  settings: string
  documents_settings: string
  documents_ids: string
  email_notifications: string | null
  registered_by_iin: string | null
  registered_by_bin: string | null
}

/** Keeps packages. */
export class PackageStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async add(added: StoredPackage): Promise<void> {
    const row: Row = {
      id: added.id,
      stored_at: added.storedAt,
      title: added.title,
      description: added.description,
      settings: JSON.stringify(added.settings),
      documents_settings: JSON.stringify(added.documentsSettings),
      documents_ids: JSON.stringify(added.documentsIds),
      email_notifications: added.emailNotifications ? JSON.stringify(added.emailNotifications) : null,
      registered_by_iin: added.registeredBy?.iin ?? null,
      registered_by_bin: added.registeredBy?.bin ?? null,
      ...registratorToRow(added.registrator),
    }
    await this.database.query('registry_packages').insert(row)
  }

  /** Rejects with `invalidPackageIdentifier` or `packageNotFound`. */
  async get(id: string): Promise<StoredPackage> {
    return this.#read(id, false)
  }

  /** As `get`, and keeps every other transaction from changing or completing the package until this one ends. */
  async lock(id: string): Promise<StoredPackage> {
    return this.#read(id, true)
  }

  /** Packages by their identifiers, in any order. */
  async getAll(ids: readonly string[]): Promise<StoredPackage[]> {
    const rows: Row[] = await this.database
      .query('registry_packages')
      .whereIn('id', ids)
      .select(...COLUMNS)
    return rows.map(read)
  }

  /** Replaces the settings; the package must be locked. */
  async changeSettings(id: string, settings: PackageSettings): Promise<void> {
    await this.database
      .query('registry_packages')
      .where({ id })
      .update({ settings: JSON.stringify(settings) })
  }

  /**
   * True when the hashes of every document are fixed. Lock the package before asking for what depends on it: of two
   * transactions that fix the last two documents, only then does one see the other.
   */
  async isComplete(id: string): Promise<boolean> {
    const { documentsIds } = await this.get(id)
    const missing: unknown = await this.database
      .query('registry_documents')
      .whereIn('id', documentsIds)
      .whereNull('digests_fixed_at')
      .first('id')
    return missing === undefined
  }

  async #read(id: string, lock: boolean): Promise<StoredPackage> {
    if (!ID_PATTERN.test(id)) throw packageErrors.error('invalidPackageIdentifier')
    const query = this.database
      .query('registry_packages')
      .where({ id })
      .first(...COLUMNS)
    const row: Row | undefined = await (lock ? query.forUpdate() : query)
    if (row === undefined) throw packageErrors.error('packageNotFound')
    return read(row)
  }
}

const read = (row: Row): StoredPackage => ({
  id: row.id,
  storedAt: Number(row.stored_at),
  title: row.title,
  description: row.description,
  settings: JSON.parse(row.settings),
  documentsSettings: JSON.parse(row.documents_settings),
  documentsIds: JSON.parse(row.documents_ids),
  emailNotifications: row.email_notifications === null ? undefined : JSON.parse(row.email_notifications),
  registeredBy:
    row.registered_by_iin === null
      ? undefined
      : { iin: row.registered_by_iin, ...(row.registered_by_bin !== null && { bin: row.registered_by_bin }) },
  registrator: readRegistrator(row),
})
