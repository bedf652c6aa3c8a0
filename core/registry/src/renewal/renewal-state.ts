import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type RenewalFigures, type RenewalProblem, type RenewalStateRow, stateTable } from './renewal-tables.js'

const ONLY = 1
const NOTHING: RenewalStateRow = {
  id: ONLY,
  ...{
    requestedAt: undefined,
    doneAt: undefined,
    problem: undefined,
    problemSince: undefined,
    figures: undefined,
    toldAt: undefined,
  },
}

/** Keeps what administrators ask for, and what keeps the registry from renewing. */
export class RenewalState {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof RenewalState.inject>) {}

  async read(): Promise<RenewalStateRow> {
    const sql = `select ${stateTable.columns.join(', ')} from registry_renewal_state where id = ?`
    const [row] = await this.use.database.rows(sql, [ONLY])
    return row === undefined ? NOTHING : stateTable.read(row)
  }

  /** Asks a running registry to renew everything. */
  async request(): Promise<void> {
    await this.change({ requestedAt: this.use.clock.now() })
  }

  /** Notes that a run has ended, and what kept it from doing all. */
  async done(figures: RenewalFigures, problem: RenewalProblem | undefined): Promise<void> {
    const { problemSince, requestedAt } = await this.read()
    const now = this.use.clock.now()
    await this.change({
      doneAt: now,
      figures,
      requestedAt: problem === undefined ? undefined : requestedAt,
      problem,
      problemSince: problem === undefined ? undefined : (problemSince ?? now),
    })
  }

  /** Notes that the operator was told of a problem. */
  async told(): Promise<void> {
    await this.change({ toldAt: this.use.clock.now() })
  }

  private async change(row: Partial<RenewalStateRow>): Promise<void> {
    const { database } = this.use
    await database.insert(stateTable.name, [stateTable.row(NOTHING)], 'skip')
    await database.query(stateTable.name).where({ id: ONLY }).update(stateTable.row(row))
  }
}
