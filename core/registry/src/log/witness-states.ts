import { createHash } from 'node:crypto'
import type { PolicyWitness } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import type { Stored } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { witnessesTable } from './witness-tables.js'

/** How far a witness has come with a log, for the operator too. */
export type WitnessState = Stored<typeof witnessesTable>

/** Keeps what is known of the witnesses of each log. */
export class WitnessStates {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof WitnessStates.inject>) {}

  /** Every witness that was asked about a log, by the verifier key's hash. */
  async of(log: number): Promise<ReadonlyMap<string, WitnessState>> {
    const rows = await this.use.database.rows(
      `select ${witnessesTable.columns.join(', ')} from registry_log_witnesses where log = ?`,
      [log],
    )
    return new Map(rows.map((row) => witnessesTable.read(row)).map((state) => [state.witness, state]))
  }

  /** Changes what is known of a witness. */
  async keep(
    log: number,
    { verifierKey, name }: Pick<PolicyWitness, 'verifierKey' | 'name'>,
    known: Partial<WitnessState>,
  ): Promise<void> {
    const key = witnessesTable.row({ log, witness: witnessId(verifierKey) })
    const change = witnessesTable.row(known)
    const changed = await this.witnesses().where(key).update(change)
    if (Number(changed) > 0) return
    const added = { ...key, ...witnessesTable.row({ name, size: 0 }), ...change }
    // Another host may have been faster.
    if (!(await insertOrLose(this.witnesses().insert(added)))) await this.witnesses().where(key).update(change)
  }

  private witnesses() {
    return this.use.database.query(witnessesTable.name)
  }
}

/** What names a witness in the table: SHA-256 of its verifier key, hexadecimal. */
export const witnessId = (verifierKey: string): string => createHash('sha256').update(verifierKey).digest('hex')
