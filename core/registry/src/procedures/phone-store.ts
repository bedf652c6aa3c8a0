import { Database } from '../database/database.js'
import { bytes, integer, type Stored, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'

const phones = table('registry_procedure_phones', {
  /** `keyOf` the secret in its address. */
  key: bytes('phone_key'),
  procedureId: text('procedure_id'),
  origin: bytes('origin'),
  admittedAt: integer('admitted_at'),
})

/** A phone that API 1 has answered. */
export type AdmittedPhone = Stored<typeof phones>

/** Stores which phones followed a code or a link. */
export class PhoneStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof PhoneStore.inject>) {}

  async add(phone: AdmittedPhone): Promise<void> {
    await this.rows().insert(phones.row(phone))
  }

  async find(key: Uint8Array): Promise<AdmittedPhone | undefined> {
    const row = await this.rows().where(phones.row({ key })).first(phones.columns)
    return row && phones.read(row)
  }

  /** The phones of a procedure, oldest first. */
  async of(procedureId: string): Promise<AdmittedPhone[]> {
    const rows = await this.rows().where(phones.row({ procedureId })).orderBy('admitted_at').select(phones.columns)
    return rows.map((row) => phones.read(row))
  }

  async removeOf(procedureIds: readonly string[]): Promise<void> {
    await this.rows().whereIn('procedure_id', procedureIds).delete()
  }

  private rows() {
    return this.use.database.query(phones.name)
  }
}
