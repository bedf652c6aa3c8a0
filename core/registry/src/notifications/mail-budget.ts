import { Database } from '../database/database.js'
import { kindOfOwner, type Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { spelling } from './address.js'
import { notificationErrors } from './errors.js'
import { MailBudgets, NotificationLimits } from './limits.js'
import { MailContacts } from './mail-contacts.js'
import { MailRates } from './mail-rates.js'
import { organizationOfPayer } from './payers.js'

const SECOND_MS = 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** Why somebody gets a mail: another one named the address, with a name or without, or it stands in settings by which mail was asked for. */
export type Naming = 'others' | 'strangers' | 'settings'

/** Bounds how many mails callers cause in an hour, to addresses that are new to them, and to any one address. */
export class MailBudget {
  static readonly inject = {
    rates: MailRates,
    contacts: MailContacts,
    limits: NotificationLimits,
    budgets: MailBudgets,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof MailBudget.inject>) {}

  /**
   * Counts mails to addresses in the caller's transaction, at its end since others of the same payer wait for it. Rejects
   * with `mailLimitReached`, which undoes the transaction.
   */
  async take(payer: Owner, to: readonly string[] = []): Promise<void> {
    const { rates, contacts } = this.use
    const addresses = [...new Set(to.map(spelling))]
    if (addresses.length === 0) return
    const { name, mails } = this.shareOf(payer)
    const isStranger = kindOfOwner(payer) === 'stranger'
    // More at once than there may be in an hour would go through after an hour of rest.
    if (isStranger && mails > 0 && addresses.length > mails)
      throw notificationErrors.error('mailLimitReached', { limit: mails })
    refuseFor(await rates.count(name, addresses.length, mails), mails)
    if (isStranger) {
      const together = this.use.limits.strangersMailsPerHour
      refuseFor(await rates.count('strangers', addresses.length, together), together)
      // Where a stranger calls from, and whom they wrote to, is not remembered.
      return
    }
    if (name !== payer) return
    const limit = await this.newAddressesOf(payer)
    if (limit === 0) return
    const fresh = await contacts.meet(payer, addresses)
    if (fresh > limit) throw notificationErrors.error('mailLimitReached', { newAddresses: fresh, limit })
    refuseFor(await rates.count(`${payer} new`, fresh, limit), limit, { newAddresses: fresh })
  }

  /** Counts mails that the payer causes without asking for them, in the caller's transaction; false, and nothing, where they are too many. */
  async fits(payer: Owner, mails: number): Promise<boolean> {
    const share = this.shareOf(payer)
    return (await this.use.rates.count(share.name, mails, share.mails)) === 0
  }

  /**
   * Counts a mail to a recipient, by its code; false where there were too many. Callers are not told: they would learn what
   * others send there, and by twenty mails one of them would keep all others from registering.
   */
  receives(recipient: string, named: Naming): Promise<boolean> {
    const { mailsPerRecipientPerHour, strangerMailsPerHour, mailsPerHour } = this.use.limits
    // What strangers send to an address takes nothing from those who have a name.
    const perHour = { others: mailsPerRecipientPerHour, strangers: strangerMailsPerHour, settings: mailsPerHour }[named]
    return this.use.database.transaction(
      async () => (await this.use.rates.count(`${named} ${recipient}`, 1, perHour)) === 0,
    )
  }

  /** True for an organization that has a budget of its own: those it writes to know it. */
  isKnown(organization: string | undefined): boolean {
    return organization !== undefined && this.use.budgets[organization] !== undefined
  }

  /** By what name a payer is counted, and how many mails there are for it. */
  private shareOf(payer: Owner): { name: string; mails: number } {
    if (kindOfOwner(payer) === 'stranger') return { name: payer, mails: this.use.limits.strangerMailsPerHour }
    const organization = organizationOfPayer(payer) ?? ''
    const own = this.use.budgets[organization]
    return own === undefined ? { name: payer, mails: this.use.limits.mailsPerHour } : { name: organization, mails: own }
  }

  private async newAddressesOf(payer: Owner): Promise<number> {
    const { newRecipientsPerHour, newSignersRecipientsPerHour } = this.use.limits
    if (newRecipientsPerHour === newSignersRecipientsPerHour) return newRecipientsPerHour
    return (await this.isNew(payer)) ? newSignersRecipientsPerHour : newRecipientsPerHour
  }

  /** True for a day after the first signature or settings of who pays. */
  private async isNew(payer: Owner): Promise<boolean> {
    const { database, clock } = this.use
    const owners =
      kindOfOwner(payer) === 'system'
        ? database.query('registry_organizations').where({ bin: payer })
        : database.query('registry_user_settings').where({ iin: payer.split(' ')[0] })
    return (await owners.andWhere('created_at', '<=', clock.now() - DAY_MS).first('created_at')) === undefined
  }
}

/** Throws where mails have to wait, milliseconds. */
function refuseFor(wait: number, limit: number, details: Readonly<Record<string, number>> = {}): void {
  if (wait === 0) return
  const retryAfter = Math.ceil(wait / SECOND_MS)
  throw notificationErrors.error('mailLimitReached', { ...details, limit, retryAfter })
}

/** Forgets mails that callers asked for more than an hour ago, and whom they wrote to more than a month ago. */
export class ForgetMailBudgets {
  static readonly task = { name: 'forgetMailBudgets', schedule: '41 * * * *' }
  static readonly inject = { rates: MailRates, contacts: MailContacts }

  constructor(private readonly use: Injected<typeof ForgetMailBudgets.inject>) {}

  async run(): Promise<void> {
    await this.use.rates.forget()
    await this.use.contacts.forget()
  }
}
