import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import { type Caller, kindOfOwner, type Owner, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { spelling } from './address.js'
import { notificationErrors } from './errors.js'
import { MailBudgets, NotificationLimits } from './limits.js'
import { MailContacts } from './mail-contacts.js'

/** Who has signed. */
interface Signer {
  readonly userId: string
  readonly businessId?: string | undefined
}

/**
 * Who pays for mails that a request asks for: the organization whose system brings it, else who proves by a signature to have
 * signed, whoever brings that, else the caller.
 */
export function payerOf(caller: Caller, signer?: Signer): Owner {
  return signer === undefined || caller.kind === 'system' ? ownerOf(caller) : payerOfSigner(signer)
}

/** Who pays for mails that a signature causes. */
export const payerOfSigner = ({ userId, businessId }: Signer): Owner =>
  businessId === undefined ? userId : `${userId} ${businessId}`

/** The organization that a payer acts for, if any. */
export const organizationOfPayer = (payer: Owner): string | undefined => /BIN\d{12}$/.exec(payer)?.[0]

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
      const limit = this.use.limits.strangersMailsPerHour
      refuseFor(await rates.count('strangers', addresses.length, limit), limit)
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
