import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import type { Caller } from '../identity/index.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOf } from '../notifications/index.js'
import { mailErrors } from './errors.js'
import { MailDeliveries } from './mail-subscriber.js'
import { Mailer } from './mailer.js'
import { type AskedFor, type Notice, noticesFor } from './notices.js'

/** Sends the mails that a caller asks for, within the caller's hourly limit. */
export class AskedMails {
  static readonly inject = {
    mailer: Mailer,
    mails: MailDeliveries,
    budget: MailBudget,
    deliveries: Deliveries,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof AskedMails.inject>) {}

  /** Throws `mailNotAvailable` where no plugin sends mail. */
  assertAvailable(): void {
    if (this.use.mailer === undefined) throw mailErrors.error('mailNotAvailable')
  }

  /** Stores the mails and the caller's answer in one transaction. Rejects with `mailLimitReached` and then stores nothing. */
  async send<Answer>(
    caller: Caller,
    asked: AskedFor,
    about: Pick<Notice, 'owner' | 'news'>,
    keepAnswer: () => Promise<Answer>,
  ): Promise<Answer> {
    const payer = payerOf(caller)
    const mails = this.use.mails.of(noticesFor(asked, { ...about, eventId: newId(), askedBy: payer }))
    return this.use.database.transaction(async () => {
      await this.use.budget.take(payer, asked.to)
      await this.use.deliveries.add(mails)
      return keepAnswer()
    })
  }
}
