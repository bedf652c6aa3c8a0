import { Database } from '../database/database.js'
import { everyRow } from '../database/every-row.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type LostProof, lostTable } from './renewal-tables.js'

const ROWS_AT_ONCE = 200

/** Keeps which signatures nothing proves to others any more, for those who ask without trust anchors. */
export class LostStore {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof LostStore.inject>) {}

  /** All of them, in the order of `signId`. */
  async *all(): AsyncGenerator<LostProof> {
    const select = (behind: string) =>
      `select ${lostTable.columns.join(', ')} from registry_renewal_lost where ${behind}`
    for await (const rows of everyRow(this.use.database, ['sign_id'], select))
      yield* rows.map((row) => lostTable.read(row))
  }

  /** Makes these the ones that are kept; what was known keeps its time. */
  async replace(found: AsyncIterable<Omit<LostProof, 'foundAt'>>): Promise<void> {
    let after = 0
    let rows: Omit<LostProof, 'foundAt'>[] = []
    const flush = async (upTo: number) => {
      const [from, kept] = [after, rows]
      await this.use.database.transaction(() => this.between(from, upTo, kept))
      after = upTo
      rows = []
    }
    for await (const one of found) {
      rows.push(one)
      if (rows.length === ROWS_AT_ONCE) await flush(one.signId)
    }
    await flush(Number.MAX_SAFE_INTEGER)
  }

  /** What is kept after one `signId` and up to another. */
  private async between(after: number, upTo: number, found: readonly Omit<LostProof, 'foundAt'>[]): Promise<void> {
    const { database, clock } = this.use
    const signIds = found.map(({ signId }) => signId)
    await database
      .query(lostTable.name)
      .where('sign_id', '>', after)
      .andWhere('sign_id', '<=', upTo)
      .whereNotIn('sign_id', signIds)
      .delete()
    const rows = found.map((one) => lostTable.row({ ...one, foundAt: clock.now() }))
    if (rows.length === 0) return
    await database.insert(lostTable.name, rows, 'skip')
    for (const because of new Set(found.map((one) => one.because))) {
      const changed = found.filter((one) => one.because === because).map(({ signId }) => signId)
      await database.query(lostTable.name).whereIn('sign_id', changed).whereNot({ because }).update({ because })
    }
  }
}
