import { Database } from '../database/database.js'
import type { Row } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type RenewalFigures, type RenewalProblem, type RenewalStateRow, stateTable } from './renewal-tables.js'

/** What the operator was told, and when. */
export type Told = Pick<RenewalStateRow, 'toldAt' | 'toldOf'>

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
    toldOf: undefined,
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

  /** Notes that a run has ended, what kept it from doing all, and which request it has met. */
  async done(figures: RenewalFigures, problem: RenewalProblem | undefined, met?: number): Promise<void> {
    const { problemSince, requestedAt } = await this.read()
    const now = this.use.clock.now()
    await this.change({
      doneAt: now,
      figures,
      // One that came meanwhile is for the next run.
      requestedAt: requestedAt === met ? undefined : requestedAt,
      problem,
      problemSince: problem === undefined ? undefined : (problemSince ?? now),
    })
  }

  /** What the operator was told, locked until the end of the transaction: two hosts do not tell the same. */
  async lockTold(): Promise<Told> {
    const { database } = this.use
    await database.insert(stateTable.name, [stateTable.row(NOTHING)], 'skip')
    const row: Row | undefined = await database
      .query(stateTable.name)
      .where({ id: ONLY })
      .forUpdate()
      .first(stateTable.columns)
    const { toldAt, toldOf } = row === undefined ? NOTHING : stateTable.read(row)
    return { toldAt, toldOf }
  }

  /** Notes what the operator was told, in the transaction that sends it. */
  async told(told: Told): Promise<void> {
    await this.change(told)
  }

  private async change(row: Partial<RenewalStateRow>): Promise<void> {
    const { database } = this.use
    await database.insert(stateTable.name, [stateTable.row(NOTHING)], 'skip')
    await database.query(stateTable.name).where({ id: ONLY }).update(stateTable.row(row))
  }
}
