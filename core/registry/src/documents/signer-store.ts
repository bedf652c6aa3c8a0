import { Database } from '../database/database.js'
import { integer, optional, places, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'

/** Who signed which document when. */
export interface Signer {
  readonly signId: number
  readonly documentId: string
  readonly storedAt: number
  /** IIN. */
  readonly userId: string
  /** BIN of the organization that they signed for. */
  readonly businessId: string | undefined
}

/** Signatures without what they prove. */
const signers = table('registry_signatures', {
  signId: integer('sign_id'),
  documentId: text('document_id'),
  storedAt: integer('stored_at'),
  userId: text('user_id'),
  businessId: optional(text('business_id')),
})

/** Tells who signed documents. */
export class SignerStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof SignerStore.inject>) {}

  /** Who signed these documents, the newest `limit` signatures, newest first. */
  async newest(documentIds: readonly string[], limit: number): Promise<Signer[]> {
    const rows = await this.use.database.rows(
      `select ${signers.columns.join(', ')} from ${signers.name}
        where document_id in (${places(documentIds)}) order by sign_id desc limit ${Math.trunc(limit)}`,
      documentIds,
    )
    return rows.map((row) => signers.read(row))
  }

  /** When a person last signed each of these documents in each role. */
  async lastBy(userId: string, documentIds: readonly string[]): Promise<Omit<Signer, 'signId' | 'userId'>[]> {
    const rows = await this.use.database
      .query(signers.name)
      .whereIn('document_id', documentIds)
      .andWhere(signers.row({ userId }))
      .groupBy(signers.only('documentId', 'businessId'))
      .select(signers.only('documentId', 'businessId'))
      .max({ stored_at: 'stored_at' })
    return rows.map((row) => signers.read(row))
  }

  /** When a party (IIN of a person, or BIN) had signed each of these documents, milliseconds; `undefined` before. */
  async allSignedAt(documentIds: readonly string[], party: string): Promise<number | undefined> {
    const by = party.startsWith('BIN') ? 'business_id = ?' : 'user_id = ? and business_id is null'
    const sql = `select min(stored_at) as signed_at from ${signers.name}
      where document_id in (${places(documentIds)}) and ${by} group by document_id`
    const rows = await this.use.database.rows(sql, [...documentIds, party])
    return rows.length < documentIds.length ? undefined : Math.max(...rows.map((row) => Number(row.signed_at)))
  }
}
