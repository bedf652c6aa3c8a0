import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'

const budgets = table('registry_mail_budgets', { payer: text('payer'), clearAt: integer('clear_at') })
const HOUR_MS = 60 * 60 * 1000
const ROWS_AT_ONCE = 500

/** Counts mails by whatever names who asks or gets them, all at once or evenly over an hour (GCRA), on all hosts of a database together. */
export class MailRates {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof MailRates.inject>) {}

  /**
   * Counts mails in the caller's transaction; 0 is no limit, and what is more than an hour's worth may go after an hour of
   * rest. Answers 0, or the milliseconds until they will fit: then nothing is counted.
   */
  async count(name: string, mails: number, perHour: number): Promise<number> {
    if (perHour === 0 || mails === 0) return 0
    const { database, clock } = this.use
    const now = clock.now()
    const cost = Math.ceil((HOUR_MS * Math.min(mails, perHour)) / perHour)
    const later = database.query.raw('case when clear_at > ? then clear_at else ? end + ?', [now, now, cost])
    await database
      .query(budgets.name)
      .insert(budgets.row({ payer: name, clearAt: now + cost }))
      .onConflict('payer')
      .merge({ clear_at: later })
    const row = database.query(budgets.name).where({ payer: name })
    const { clearAt } = budgets.read(await row.clone().first(budgets.columns))
    const wait = clearAt - now - HOUR_MS
    if (wait <= 0) return 0
    await row.decrement('clear_at', cost)
    return wait
  }

  /** Forgets who has nothing left to make good. */
  async forget(): Promise<void> {
    const { database, clock } = this.use
    for (;;) {
      const forgotten = await database.transaction(async () => {
        const clear = () => database.query(budgets.name).where('clear_at', '<=', clock.now())
        const payers: string[] = await clear().limit(ROWS_AT_ONCE).pluck('payer')
        await clear().whereIn('payer', payers).delete()
        return payers.length
      })
      if (forgotten < ROWS_AT_ONCE) return
    }
  }
}
