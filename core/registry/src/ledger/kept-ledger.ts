import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, type Stored, table, text } from '../database/table.js'
import { kindOfOwner, type Owner } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { ledgerErrors } from './errors.js'
import { type KeptResource, Shares } from './shares.js'

const usesTable = table('registry_shares', {
  resource: text('resource'),
  owner: text('owner'),
  used: integer('used'),
})

/** How much of a resource an owner has stored. */
export type KeptUse = Stored<typeof usesTable>

/** An owner whose count differs from what is stored. */
export interface ShareDifference {
  readonly resource: KeptResource
  readonly owner: string
  readonly counted: number
  readonly kept: number
}

/** Owners of the rows that hold the totals of all strangers and of all callers. */
const STRANGERS = 'strangers'
const EVERYBODY = 'whole'
/** Seconds until there may be room again. */
const RETRY_AFTER = 60

/** Counts what callers store in the registry, by owner, in the transactions that store and delete it. */
export class KeptLedger {
  static readonly inject = { database: Database, shares: Shares }

  constructor(private readonly use: Injected<typeof KeptLedger.inject>) {}

  /**
   * Takes an amount in the caller's transaction, which must be rolled back on refusal: `shareTaken` when the owner's share is
   * exceeded, `serviceBusy` when the total is. Of several who race for the last bytes one gets them.
   */
  async take(resource: KeptResource, owner: Owner, amount: number): Promise<void> {
    if (amount === 0) return
    for (const [row, limit] of this.rowsOf(resource, owner)) {
      if (await this.add(resource, row, amount, limit)) continue
      const details = { resource, limit, retryAfter: RETRY_AFTER }
      throw row === owner ? ledgerErrors.error('shareTaken', details) : ledgerErrors.error('serviceBusy', details)
    }
  }

  /** Gives back an amount in the caller's transaction. */
  async release(resource: KeptResource, owner: Owner, amount: number): Promise<void> {
    if (amount === 0) return
    for (const [row] of this.rowsOf(resource, owner)) {
      await this.row(resource, row).decrement('used', amount)
      if (row === owner) await this.row(resource, row).andWhere('used', '<=', 0).delete()
    }
  }

  /** The largest owners first, including the totals of all strangers and of all callers. */
  async largest(resource: KeptResource, limit: number): Promise<KeptUse[]> {
    const rows: Record<string, unknown>[] = await this.use.database
      .query(usesTable.name)
      .where({ resource })
      .orderBy([{ column: 'used', order: 'desc' }, 'owner'])
      .limit(limit)
      .select(usesTable.columns)
    return rows.map((row) => usesTable.read(row))
  }

  /** Differences between the rows and what is stored, by owner: none unless something is wrong or changing right now. */
  async differences(resource: KeptResource, kept: ReadonlyMap<Owner, number>): Promise<ShareDifference[]> {
    const due = new Map<string, number>()
    for (const [owner, amount] of kept)
      for (const [row] of this.rowsOf(resource, owner)) due.set(row, (due.get(row) ?? 0) + amount)
    const rows: { owner: string; used: number | string }[] = await this.use.database
      .query(usesTable.name)
      .where({ resource })
      .select('owner', 'used')
    const counted = new Map(rows.map(({ owner, used }) => [owner, Number(used)]))
    return [...new Set([...due.keys(), ...counted.keys()])].flatMap((owner) => {
      const one = { resource, owner, counted: counted.get(owner) ?? 0, kept: due.get(owner) ?? 0 }
      return one.counted === one.kept ? [] : [one]
    })
  }

  /** Always in the same order, so that concurrent transactions cannot deadlock. */
  private rowsOf(resource: KeptResource, owner: Owner): readonly (readonly [row: string, limit: number])[] {
    const share = this.use.shares[resource]
    const kind = kindOfOwner(owner)
    return [
      [owner, share[kind]],
      ...(kind === 'stranger' ? [[STRANGERS, share.strangers] as const] : []),
      [EVERYBODY, share.whole],
    ]
  }

  private async add(resource: KeptResource, owner: string, amount: number, limit: number): Promise<boolean> {
    const isAdded = async () => {
      const row = this.row(resource, owner)
      return (await (limit === 0 ? row : row.whereRaw('used + ? <= ?', [amount, limit])).increment('used', amount)) > 0
    }
    if (await isAdded()) return true
    // An insert that loses to an existing row locks that row, so the usual case avoids it.
    await insertOrLose(this.use.database.query(usesTable.name).insert(usesTable.row({ resource, owner, used: 0 })))
    return isAdded()
  }

  private row(resource: KeptResource, owner: string) {
    return this.use.database.query(usesTable.name).where({ resource, owner })
  }
}
