import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import type { Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { witnessedTable } from './witness-tables.js'

/** The last tree of a log of others that this registry has cosigned. */
export type Witnessed = Stored<typeof witnessedTable>

/** Stores what this registry has cosigned as a witness: one row for each log. */
export class WitnessedStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof WitnessedStore.inject>) {}

  /** The last tree of a log, by the hash of its origin; `undefined` where none was cosigned. */
  async of(originHash: string): Promise<Witnessed | undefined> {
    const [row] = await this.use.database.rows(
      `select ${witnessedTable.columns.join(', ')} from registry_log_witnessed where origin_hash = ?`,
      [originHash],
    )
    return row && witnessedTable.read(row)
  }

  /** Replaces the tree that was read; false where another request has moved on meanwhile, and nothing was stored. */
  async moveOn(before: Witnessed | undefined, after: Witnessed): Promise<boolean> {
    const all = this.use.database.query(witnessedTable.name)
    if (before === undefined) return insertOrLose(all.insert(witnessedTable.row(after)))
    const { originHash, size, root } = before
    const changed = await all.where(witnessedTable.row({ originHash, size, root })).update(witnessedTable.row(after))
    return Number(changed) === 1
  }
}
