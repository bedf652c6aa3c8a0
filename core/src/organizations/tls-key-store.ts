import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import { organizationErrors } from './errors.js'
import type { ClientCertificate } from './schema.js'

/** Where a public key is listed. */
export interface ListedKey {
  readonly bin: string
  /** Position in `tlsCertificatesList`. */
  readonly position: number
  readonly disabled: boolean
}

/** Keeps which organization lists which public key of an information system; a key belongs to one organization. */
export class TlsKeyStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async find(keyDigest: Uint8Array): Promise<ListedKey | undefined> {
    const row = await this.#table().where({ key_digest: keyDigest }).first('bin', 'position', 'disabled')
    return row && { bin: row.bin, position: Number(row.position), disabled: Boolean(row.disabled) }
  }

  /** Digests of the keys of an organization, hexadecimal, in the order of its list. */
  async keys(bin: string): Promise<string[]> {
    const digests: Buffer[] = await this.#table().where({ bin }).orderBy('position').pluck('key_digest')
    return digests.map((digest) => digest.toString('hex'))
  }

  /**
   * Replaces the list of an organization, whose row is locked. Rejects with `tlsCertificateNotUsable` when another
   * organization has one of the keys.
   */
  async replace(bin: string, keys: readonly string[], certificates: readonly ClientCertificate[]): Promise<void> {
    await this.#table().where({ bin }).delete()
    if (keys.length === 0) return
    const rows = keys.map((key, position) => ({
      key_digest: Buffer.from(key, 'hex'),
      bin,
      position,
      disabled: certificates[position]?.disabled ?? true,
    }))
    try {
      await this.#table().insert(rows)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw organizationErrors.error('tlsCertificateNotUsable', { field: 'tlsCertificatesList', reason: 'keyTaken' })
    }
  }

  #table() {
    return this.database.query('registry_tls_certificates')
  }
}
