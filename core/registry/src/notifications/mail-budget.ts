import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { notificationErrors } from './errors.js'
import { NotificationLimits } from './limits.js'

const budgets = table('registry_mail_budgets', { payer: text('payer'), clearAt: integer('clear_at') })
const HOUR_MS = 60 * 60 * 1000
const SECOND_MS = 1000
const ROWS_AT_ONCE = 500

/** Bounds how many mails each caller may ask for in an hour, all at once or evenly (GCRA), on all hosts of a database together. */
export class MailBudget {
  static readonly inject = { database: Database, clock: Clock, limits: NotificationLimits }

  constructor(private readonly use: Injected<typeof MailBudget.inject>) {}

  /**
   * Counts mails in the caller's transaction, at its end since others of the same payer wait for it. Rejects with
   * `mailLimitReached`, which undoes the transaction; what is more than an hour's worth may go after an hour of rest.
   */
  async take(payer: string, mails: number): Promise<void> {
    const { database, clock, limits } = this.use
    if (limits.mailsPerHour === 0 || mails === 0) return
    const now = clock.now()
    const cost = Math.ceil((HOUR_MS * Math.min(mails, limits.mailsPerHour)) / limits.mailsPerHour)
    const later = database.query.raw('case when clear_at > ? then clear_at else ? end + ?', [now, now, cost])
    await database
      .query(budgets.name)
      .insert(budgets.row({ payer, clearAt: now + cost }))
      .onConflict('payer')
      .merge({ clear_at: later })
    const { clearAt } = budgets.read(await database.query(budgets.name).where({ payer }).first(budgets.columns))
    const wait = clearAt - now - HOUR_MS
    if (wait > 0) {
      throw notificationErrors.error('mailLimitReached', {
        ...{ limit: limits.mailsPerHour, retryAfter: Math.ceil(wait / SECOND_MS) },
      })
    }
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

/** Forgets mails that callers asked for more than an hour ago. */
export class ForgetMailBudgets {
  static readonly task = { name: 'forgetMailBudgets', schedule: '41 * * * *' }
  static readonly inject = { budget: MailBudget }

  constructor(private readonly use: Injected<typeof ForgetMailBudgets.inject>) {}

  run(): Promise<void> {
    return this.use.budget.forget()
  }
}

/** Who pays for mails that a signature asks for: it proves who signs, whoever brings it. */
export const payerOfSigner = ({ userId, businessId }: { userId: string; businessId?: string | undefined }): string =>
  businessId === undefined ? userId : `${userId} ${businessId}`

/** Who pays for mails that a caller asks for; for those whom nobody knows, what the mails are about. */
export function payerOf(caller: Caller, subject: string): string {
  if (caller.kind === 'anonymous') return subject
  if (caller.kind === 'system') return caller.bin
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}
