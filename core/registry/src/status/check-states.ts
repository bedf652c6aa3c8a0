import { Database } from '../database/database.js'
import { integer, optional, type Stored, table, text, word } from '../database/table.js'
import { Check } from '../kernel/check.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { StatusLimits } from './limits.js'

const checksTable = table('registry_checks', {
  name: text('name'),
  state: word('state', ['good', 'failed']),
  /** Since when; milliseconds. */
  since: integer('since'),
  /** When it was asked last, or used with success; milliseconds. */
  knownAt: integer('known_at'),
  /** When it was good last; `undefined` if never. */
  goodAt: optional(integer('good_at')),
})

/** What is known of a service that all hosts share. */
export type CheckState = Stored<typeof checksTable>

/** A check as metrics tell it. */
export interface ToldCheck {
  readonly name: string
  /** Whether the last look was good, and not too long ago to be counted on. */
  readonly isGood: boolean
  readonly goodAt: number | undefined
}

/** After so many times without a look nothing is known any more. */
const MISSED = 3

/** Keeps what repeated checks have found, for all hosts of a database. */
export class CheckStates {
  static readonly inject = { database: Database, clock: Clock, checks: Check, limits: StatusLimits }

  constructor(private readonly use: Injected<typeof CheckStates.inject>) {}

  /** By name. */
  async all(): Promise<ReadonlyMap<string, CheckState>> {
    const rows = await this.use.database.rows(`select ${checksTable.columns.join(', ')} from registry_checks`, [])
    return new Map(rows.map((row) => checksTable.read(row)).map((state) => [state.name, state]))
  }

  async keep(state: CheckState): Promise<void> {
    const { database } = this.use
    const row = checksTable.row(state)
    await database.insert(checksTable.name, [row], 'skip')
    await database
      .query(checksTable.name)
      .where(checksTable.row({ name: state.name }))
      .update(row)
  }

  /** For a check that has nothing to ask any more. */
  async forget(name: string): Promise<void> {
    await this.use.database.query(checksTable.name).where(checksTable.row({ name })).delete()
  }

  /** What is known of the checks of this registry; nothing while none is repeated. */
  async told(): Promise<readonly ToldCheck[]> {
    const { checks, clock, limits } = this.use
    if (limits.checkEveryMs <= 0) return []
    const ours = new Set(checks.filter(({ isRequired }) => !isRequired).map(({ name }) => name))
    const since = clock.now() - MISSED * limits.checkEveryMs
    return [...(await this.all()).values()]
      .filter(({ name }) => ours.has(name))
      .map(({ name, state, knownAt, goodAt }) => ({ name, isGood: state === 'good' && knownAt >= since, goodAt }))
  }
}
