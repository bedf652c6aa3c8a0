import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { RenewalSettings, RenewalState, ReportRenewal } from '../renewal/index.js'
import { operatorNews } from './evidence-state.js'
import { OperatorAddresses } from './limits.js'
import { MailDeliveries } from './mail-subscriber.js'
import { Mailer } from './mailer.js'
import { OPERATOR } from './news.js'

/** Tells the operator of proof that is not renewed: when it begins, every week, every day near its end, and when it is over. */
export class TellOperator {
  static readonly task = { name: 'tellOperator', schedule: '29 * * * *' }
  static readonly inject = {
    mailer: Mailer,
    addresses: OperatorAddresses,
    settings: RenewalSettings,
    renewal: ReportRenewal,
    state: RenewalState,
    mails: MailDeliveries,
    deliveries: Deliveries,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof TellOperator.inject>) {}

  async run(): Promise<void> {
    const { mailer, addresses, settings, renewal, state, clock, database } = this.use
    if (mailer === undefined || addresses.length === 0 || !settings.isOn) return
    const report = await renewal.report()
    const now = clock.now()
    if (operatorNews(report, await state.read(), now) === undefined) return
    await database.transaction(async () => {
      const found = operatorNews(report, await state.lockTold(), now)
      if (found === undefined) return
      await state.told(found.told)
      const news = { kind: found.kind, owner: OPERATOR, state: found.state }
      const about = { owner: OPERATOR, eventId: newId(), news }
      await this.use.deliveries.add(this.use.mails.of(addresses.map((to) => ({ to, ...about }))))
    })
  }
}
