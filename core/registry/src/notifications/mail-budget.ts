import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import { type Caller, kindOfOwner, type Owner, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { spelling } from './address.js'
import { notificationErrors } from './errors.js'
import { MailBudgets, NotificationLimits } from './limits.js'
import { MailContacts } from './mail-contacts.js'

/** A signer, as a person or for an organization. */
interface Signer {
  readonly userId: string
  readonly businessId?: string | undefined
}

/**
 * Whose limit the mails of a request count against: the calling system's organization, else the signer of the given signature
 * (whoever sends it), else the caller.
 */
export function payerOf(caller: Caller, signer?: Signer): Owner {
  return signer === undefined || caller.kind === 'system' ? ownerOf(caller) : payerOfSigner(signer)
}

/** Whose limit the mails about a signature count against. */
export const payerOfSigner = ({ userId, businessId }: Signer): Owner =>
  businessId === undefined ? userId : `${userId} ${businessId}`

/** The organization that a payer acts for, if any. */
export const organizationOfPayer = (payer: Owner): string | undefined => /BIN\d{12}$/.exec(payer)?.[0]

const budgets = table('registry_mail_budgets', { payer: text('payer'), clearAt: integer('clear_at') })
const HOUR_MS = 60 * 60 * 1000
const ROWS_AT_ONCE = 500

/** Limits mails per hour by payer or recipient, in bursts or evenly (GCRA), across all hosts of a database. */
export class MailRates {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof MailRates.inject>) {}

  /**
   * Counts mails in the caller's transaction; `perHour` 0 is no limit, and more than an hour's allowance may go after an hour
   * of rest. Answers 0, or the milliseconds to wait, and then counts nothing.
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

  /** Deletes rows with a full allowance. */
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

/** How the address of a mail became known: named by others, named by anonymous callers, or in the recipient's settings. */
export type Naming = 'others' | 'strangers' | 'settings'

/** Limits how many mails callers cause per hour: in total, to addresses that are new to them, and to any one address. */
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
   * Counts mails in the caller's transaction; call it last, since it locks the payer's row. Rejects with `mailLimitReached`,
   * which rolls the transaction back.
   */
  async take(payer: Owner, to: readonly string[] = []): Promise<void> {
    const { rates, contacts } = this.use
    const addresses = [...new Set(to.map(spelling))]
    if (addresses.length === 0) return
    const { name, mails } = this.shareOf(payer)
    const isStranger = kindOfOwner(payer) === 'stranger'
    // Otherwise more mails than an hour's allowance would pass after an hour of rest.
    if (isStranger && mails > 0 && addresses.length > mails)
      throw notificationErrors.error('mailLimitReached', { limit: mails })
    refuseFor(await rates.count(name, addresses.length, mails), mails)
    if (isStranger) {
      const limit = this.use.limits.strangersMailsPerHour
      refuseFor(await rates.count('strangers', addresses.length, limit), limit)
      // Contacts of strangers are not remembered.
      return
    }
    if (name !== payer) return
    const limit = await this.newAddressesOf(payer)
    if (limit === 0) return
    const fresh = await contacts.meet(payer, addresses)
    if (fresh > limit) throw notificationErrors.error('mailLimitReached', { newAddresses: fresh, limit })
    refuseFor(await rates.count(`${payer} new`, fresh, limit), limit, { newAddresses: fresh })
  }

  /** Counts mails to recipients whose addresses the payer does not name, in the caller's transaction; else as `take`. */
  async takeCount(payer: Owner, count: number): Promise<void> {
    const { name, mails } = this.shareOf(payer)
    refuseFor(await this.use.rates.count(name, count, mails), mails)
  }

  /** Counts mails that the payer did not ask for, in the caller's transaction; false, without counting, where they are too many. */
  async fits(payer: Owner, mails: number): Promise<boolean> {
    const share = this.shareOf(payer)
    return (await this.use.rates.count(share.name, mails, share.mails)) === 0
  }

  /**
   * Counts a mail to a recipient (by code); false where there are too many. Callers are not told, or they would learn what
   * others send there and could block others' registrations with twenty mails.
   */
  receives(recipient: string, named: Naming): Promise<boolean> {
    const { mailsPerRecipientPerHour, strangerMailsPerHour, mailsPerHour } = this.use.limits
    // Mails of strangers do not use up the limit of authenticated callers.
    const perHour = { others: mailsPerRecipientPerHour, strangers: strangerMailsPerHour, settings: mailsPerHour }[named]
    return this.use.database.transaction(
      async () => (await this.use.rates.count(`${named} ${recipient}`, 1, perHour)) === 0,
    )
  }

  /** True for an organization with a limit of its own. */
  isKnown(organization: string | undefined): boolean {
    return organization !== undefined && this.use.budgets[organization] !== undefined
  }

  /** The name that a payer is counted by, and its limit. */
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

  /** True for a day after the payer first came to the registry. */
  private async isNew(payer: Owner): Promise<boolean> {
    const { database, clock } = this.use
    const owners =
      kindOfOwner(payer) === 'system'
        ? database.query('registry_organizations').where({ bin: payer })
        : database.query('registry_user_settings').where({ iin: payer.split(' ')[0] })
    return (await owners.andWhere('created_at', '<=', clock.now() - DAY_MS).first('created_at')) === undefined
  }
}

/** Throws where mails have to wait; `wait` in milliseconds. */
function refuseFor(wait: number, limit: number, details: Readonly<Record<string, number>> = {}): void {
  if (wait === 0) return
  const retryAfter = Math.ceil(wait / SECOND_MS)
  throw notificationErrors.error('mailLimitReached', { ...details, limit, retryAfter })
}

/** Deletes expired counts (an hour) and contacts (a month). */
export class ForgetMailBudgets {
  static readonly task = { name: 'forgetMailBudgets', schedule: '41 * * * *' }
  static readonly inject = { rates: MailRates, contacts: MailContacts }

  constructor(private readonly use: Injected<typeof ForgetMailBudgets.inject>) {}

  async run(): Promise<void> {
    await this.use.rates.forget()
    await this.use.contacts.forget()
  }
}
