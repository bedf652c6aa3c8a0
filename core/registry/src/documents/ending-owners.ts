import { Database } from '../database/database.js'
import { flag, integer, optional, type Stored, table, text } from '../database/table.js'
import { Timeline } from '../database/timeline.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { endingPart, listOf } from './document-lists.js'

const ownersTable = table('registry_ending_owners', {
  owner: text('owner'),
  algorithm: text('algorithm'),
  /** All of their documents are listed. */
  isDue: flag('is_due'),
  toldAt: optional(integer('told_at')),
})

/** Somebody (IIN or BIN) who has documents that end with a digest. */
export type EndingOwner = Pick<Stored<typeof ownersTable>, 'owner' | 'algorithm'>

const ALL = { from: 0, until: Number.MAX_SAFE_INTEGER }

/** Keeps who has documents whose digests end, and who was told of it. */
export class EndingOwners {
  static readonly inject = { database: Database, timeline: Timeline, clock: Clock }

  constructor(private readonly use: Injected<typeof EndingOwners.inject>) {}

  /** Notes owners, who may be known already. */
  async add(owners: readonly EndingOwner[]): Promise<void> {
    if (owners.length === 0) return
    const rows = owners.map((one) => ownersTable.row({ ...one, isDue: false, toldAt: undefined }))
    await this.use.database.insert(ownersTable.name, rows, 'skip')
  }

  /** Makes all due who were noted: every document is listed. */
  async allListed(): Promise<void> {
    const rows = this.use.database.query(ownersTable.name).where(ownersTable.row({ isDue: false }))
    await rows.update(ownersTable.row({ isDue: true }))
  }

  /** Owners who are due and were not told, in the order of their key, behind one of them. */
  async untold(limit: number, behind: EndingOwner = { owner: '', algorithm: '' }): Promise<EndingOwner[]> {
    const { owner, algorithm } = behind
    const sql = `select owner, algorithm from registry_ending_owners
      where is_due = ? and told_at is null and (owner > ? or (owner = ? and algorithm > ?))
      order by owner, algorithm limit ${Math.trunc(limit)}`
    const rows = await this.use.database.rows(sql, [true, owner, owner, algorithm])
    return rows.map((row) => ownersTable.read(row))
  }

  /** Notes that an owner is told, in the transaction that tells them; `false` where another host did. */
  async tell(one: EndingOwner): Promise<boolean> {
    const row = this.use.database.query(ownersTable.name).where(ownersTable.row(one)).whereNull('told_at')
    return (await row.update(ownersTable.row({ toldAt: this.use.clock.now() }))) > 0
  }

  /** How many documents of an owner end soon. */
  async documentsOf(owner: string): Promise<number> {
    return this.use.timeline.total(endingPart(listOf(owner)), ALL)
  }
}
