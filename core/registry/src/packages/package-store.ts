import { Database } from '../database/database.js'
import { bytes, integer, json, optional, type Stored, table, text } from '../database/table.js'
import type { DocumentSettings, Registrator } from '../documents/index.js'
import { ID_PATTERN } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { packageErrors } from './errors.js'
import type { PackageEmailNotifications, PackageSettings } from './schema.js'

/** A package as lists show it. */
export interface ListedPackage {
  readonly id: string
  readonly storedAt: number
  readonly title: string
  readonly description: string
  /** In the order of registration; signatures come in the same order. */
  readonly documentsIds: readonly string[]
  readonly registrator: Registrator | undefined
}

/** A package as it is stored. */
export interface StoredPackage extends ListedPackage {
  readonly settings: PackageSettings
  /** As they were applied to each document at registration. */
  readonly documentsSettings: DocumentSettings
  readonly emailNotifications: PackageEmailNotifications | undefined
  /** The person, or the employee where there is a BIN, who registered it. */
  readonly registeredBy: { readonly iin: string; readonly bin?: string | undefined } | undefined
  /** Digest of the secret, for a package that was registered anonymously. */
  readonly dataSecretDigest: Uint8Array | undefined
}

const TABLE = 'registry_packages'
const LISTED = {
  id: text('id'),
  storedAt: integer('stored_at'),
  title: text('title'),
  description: text('description'),
  documentsIds: json<readonly string[]>('documents_ids'),
  registratorBin: optional(text('registrator_bin')),
  registratorCertificate: optional(bytes('registrator_certificate')),
}
const listed = table(TABLE, LISTED)
const packages = table(TABLE, {
  ...LISTED,
  settings: json<PackageSettings>('settings'),
  documentsSettings: json<DocumentSettings>('documents_settings'),
  emailNotifications: optional(json<PackageEmailNotifications>('email_notifications')),
  registeredByIin: optional(text('registered_by_iin')),
  registeredByBin: optional(text('registered_by_bin')),
  dataSecretDigest: optional(bytes('data_secret_digest')),
})

/** Keeps packages. */
export class PackageStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof PackageStore.inject>) {}

  async add(added: StoredPackage): Promise<void> {
    const { registeredBy, registrator, ...fields } = added
    const row = packages.row({
      ...fields,
      registeredByIin: registeredBy?.iin,
      registeredByBin: registeredBy?.bin,
      registratorBin: registrator?.bin,
      registratorCertificate: registrator?.certificate,
    })
    await this.use.database.query(TABLE).insert({ ...row, waits_since: fields.storedAt })
  }

  /** Rejects with `invalidPackageIdentifier` or `packageNotFound`. */
  async get(id: string): Promise<StoredPackage> {
    if (!ID_PATTERN.test(id)) throw packageErrors.error('invalidPackageIdentifier')
    const row = await this.use.database.query(TABLE).where({ id }).first(packages.columns)
    if (row === undefined) throw packageErrors.error('packageNotFound')
    return read(row)
  }

  /**
   * As `get`, and locks the package for this transaction. It writes the row, because nodes of a Galera cluster do not see each
   * other's locks, but detect concurrent writes and roll one of them back.
   */
  async lock(id: string): Promise<StoredPackage> {
    await this.use.database.query(TABLE).where({ id }).increment('turns')
    return this.get(id)
  }

  /** The packages with these identifiers, in their order, as lists show them. */
  async list(ids: readonly string[]): Promise<ListedPackage[]> {
    const rows = await this.use.database.read((query) => query(TABLE).whereIn('id', ids).select(listed.columns))
    const found = new Map(rows.map((row) => listed.read(row)).map((one) => [one.id, withRegistrator(one)]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /** Packages that have waited for their originals at least since a moment, longest first. */
  async waitingSince(moment: number, limit: number): Promise<string[]> {
    const query = this.use.database.query(TABLE).where('waits_since', '<=', moment)
    return query.orderBy('waits_since').limit(limit).pluck('id')
  }

  /** Sets since when a package has been waiting; `undefined` ends it. The package must be locked. */
  async wait(id: string, since: number | undefined): Promise<void> {
    await this.use.database
      .query(TABLE)
      .where({ id })
      .update({ waits_since: since ?? null })
  }

  /** Deletes a package whose documents are deleted; it must be locked. */
  async forget(id: string): Promise<void> {
    await this.use.database.query(TABLE).where({ id }).delete()
  }

  /** Replaces the settings; the package must be locked. */
  async changeSettings(id: string, settings: PackageSettings): Promise<void> {
    await this.use.database.query(TABLE).where({ id }).update(packages.row({ settings }))
  }

  /**
   * True when the hashes of every document are fixed. Lock the package first where the answer matters: of two transactions
   * that fix the last two documents, only then one sees the other.
   */
  async isComplete(id: string): Promise<boolean> {
    const { documentsIds } = await this.get(id)
    const missing: unknown = await this.use.database
      .query('registry_documents')
      .whereIn('id', documentsIds)
      .whereNull('digests_fixed_at')
      .first('id')
    return missing === undefined
  }
}

function read(row: Readonly<Record<string, unknown>>): StoredPackage {
  const { registeredByIin: iin, registeredByBin: bin, ...fields } = packages.read(row)
  return {
    ...withRegistrator(fields),
    registeredBy: iin === undefined ? undefined : { iin, ...(bin !== undefined && { bin }) },
  }
}

/** Joins the two columns of the registering system. */
function withRegistrator<F extends Pick<Stored<typeof listed>, 'registratorBin' | 'registratorCertificate'>>(
  fields: F,
) {
  const { registratorBin: bin, registratorCertificate: certificate, ...rest } = fields
  return { ...rest, registrator: bin === undefined || certificate === undefined ? undefined : { bin, certificate } }
}
