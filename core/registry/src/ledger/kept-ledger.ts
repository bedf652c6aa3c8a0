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

/** How much an owner keeps of something. */
export type KeptUse = Stored<typeof usesTable>

/** An owner who is counted for more or less than is kept. */
export interface ShareDifference {
  readonly resource: KeptResource
  readonly owner: string
  readonly counted: number
  readonly kept: number
}

/** Rows of what all strangers, and all callers, take together. */
const STRANGERS = 'strangers'
const WHOLE = 'whole'
/** Seconds after which there may be room again. */
const RETRY_AFTER = 60

/** What callers leave with the registry, by owner: counted in the transaction that keeps it, and in the one that drops it. */
export class KeptLedger {
  static readonly inject = { database: Database, shares: Shares }

  constructor(private readonly use: Injected<typeof KeptLedger.inject>) {}

  /**
   * Takes so much in the caller's transaction, which a refusal has to undo: `shareTaken` when it is more than the owner may
   * keep, `serviceBusy` when it is more than there is for all. Of several who race for the last bytes one gets them.
   */
  async take(resource: KeptResource, owner: Owner, amount: number): Promise<void> {
    if (amount === 0) return
    for (const [row, limit] of this.rowsOf(resource, owner)) {
      if (await this.add(resource, row, amount, limit)) continue
      const details = { resource, limit, retryAfter: RETRY_AFTER }
      throw row === owner ? ledgerErrors.error('shareTaken', details) : ledgerErrors.error('serviceBusy', details)
    }
  }

  /** Gives back what was taken, in the caller's transaction. */
  async release(resource: KeptResource, owner: Owner, amount: number): Promise<void> {
    if (amount === 0) return
    for (const [row] of this.rowsOf(resource, owner)) {
      await this.row(resource, row).decrement('used', amount)
      if (row === owner) await this.row(resource, row).andWhere('used', '<=', 0).delete()
    }
  }

  /** Who takes most, largest first, the rows of all strangers and of all callers among them. */
  async largest(resource: KeptResource, limit: number): Promise<KeptUse[]> {
    const rows: Record<string, unknown>[] = await this.use.database
      .query(usesTable.name)
      .where({ resource })
      .orderBy([{ column: 'used', order: 'desc' }, 'owner'])
      .limit(limit)
      .select(usesTable.columns)
    return rows.map((row) => usesTable.read(row))
  }

  /** Where the rows say other than what is kept of it, by owner: none unless something is wrong, or changes just now. */
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

  /** In one order everywhere, so that two transactions wait for each other in turn. */
  private rowsOf(resource: KeptResource, owner: Owner): readonly (readonly [row: string, limit: number])[] {
    const share = this.use.shares[resource]
    const kind = kindOfOwner(owner)
    return [
      [owner, share[kind]],
      ...(kind === 'stranger' ? [[STRANGERS, share.strangers] as const] : []),
      [WHOLE, share.whole],
    ]
  }

  private async add(resource: KeptResource, owner: string, amount: number, limit: number): Promise<boolean> {
    const isAdded = async () => {
      const row = this.row(resource, owner)
      return (await (limit === 0 ? row : row.whereRaw('used + ? <= ?', [amount, limit])).increment('used', amount)) > 0
    }
    if (await isAdded()) return true
    // To lose against a row that is there locks it: the usual case goes without.
    await insertOrLose(this.use.database.query(usesTable.name).insert(usesTable.row({ resource, owner, used: 0 })))
    return isAdded()
  }

  private row(resource: KeptResource, owner: string) {
    return this.use.database.query(usesTable.name).where({ resource, owner })
  }
}
