import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, json, type Stored, table, text, word } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { vehicleErrors } from './errors.js'

/** Source of the parameters: `POST /api` or `POST /api/{id}/integrationRegisterAuto`. */
export const SOURCES = ['registration', 'request'] as const
export type VehicleSource = (typeof SOURCES)[number]

const registrations = table('registry_vehicle_registrations', {
  documentId: text('document_id'),
  storedAt: integer('stored_at'),
  source: word('source', SOURCES),
  documentTypeCode: text('document_type_code'),
  signers: json<readonly string[]>('signers'),
})
/** The parameters for forwarding a document. */
export type VehicleRecord = Stored<typeof registrations>

/** Stores the parameters for forwarding documents; their state is that of their deliveries. */
export class VehicleStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof VehicleStore.inject>) {}

  /** Rejects with `integrationAlreadySet`. */
  async add(record: VehicleRecord): Promise<void> {
    if (!(await insertOrLose(this.rows().insert(registrations.row(record))))) {
      throw vehicleErrors.error('integrationAlreadySet')
    }
  }

  /** Rejects with `integrationNotFound`. */
  async get(documentId: string): Promise<VehicleRecord> {
    const [found] = await this.list([documentId])
    if (found === undefined) throw vehicleErrors.error('integrationNotFound')
    return found
  }

  /** The parameters of those documents that have some. */
  async list(documentIds: readonly string[]): Promise<VehicleRecord[]> {
    const rows = await this.rows().whereIn('document_id', documentIds).select(registrations.columns)
    return rows.map((row) => registrations.read(row))
  }

  private rows() {
    return this.use.database.query(registrations.name)
  }
}
