import { Database } from '../database/database.js'
import { places } from '../database/table.js'
import type { Injected } from '../kernel/service.js'

/** Finds when parties signed documents. */
export class PartySignatures {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof PartySignatures.inject>) {}

  /** When a party (IIN of a person, or BIN) had signed each of these documents, milliseconds; `undefined` before. */
  async allSignedAt(documentIds: readonly string[], party: string): Promise<number | undefined> {
    const by = party.startsWith('BIN') ? 'business_id = ?' : 'user_id = ? and business_id is null'
    const sql = `select min(stored_at) as signed_at from registry_signatures
      where document_id in (${places(documentIds)}) and ${by} group by document_id`
    const rows = await this.use.database.rows(sql, [...documentIds, party])
    return rows.length < documentIds.length ? undefined : Math.max(...rows.map((row) => Number(row.signed_at)))
  }
}
