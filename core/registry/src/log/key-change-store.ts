import { Database } from '../database/database.js'
import type { Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { keyChangesTable } from './log-tables.js'

/** A change of the key of a log: the checkpoint that the former and the next key signed. */
export type KeyChange = Stored<typeof keyChangesTable>

/** Keeps the checkpoints that lead from one key of a log to the next. */
export class KeyChangeStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof KeyChangeStore.inject>) {}

  /** Adds one, in the transaction that changes the key. */
  async add(change: KeyChange): Promise<void> {
    await this.use.database.insert(keyChangesTable.name, [keyChangesTable.row(change)])
  }

  /** Those of a log, the oldest first. */
  async of(log: number): Promise<KeyChange[]> {
    const columns = keyChangesTable.columns.join(', ')
    const sql = `select ${columns} from registry_log_key_changes where log = ? order by size`
    return (await this.use.database.rows(sql, [log])).map((row) => keyChangesTable.read(row))
  }
}
