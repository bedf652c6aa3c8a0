import { limits } from '../kernel/limits.js'
import { port } from '../kernel/port.js'

/** Hourly limits of mail that callers ask for; 0 for no limit. */
export interface NotificationLimits {
  /** Mails that one caller, or one signer, may ask for. */
  readonly mailsPerHour: number
  /** Addresses among them that the caller has not written to within a month. */
  readonly newRecipientsPerHour: number
  /** The same for callers who are new to the registry (one day). */
  readonly newSignersRecipientsPerHour: number
  /** Mails that one network may ask for, and one address may get, from anonymous callers. */
  readonly strangerMailsPerHour: number
  /** Mails that all anonymous callers together may ask for. */
  readonly strangersMailsPerHour: number
  /** Mails to one address that others named. */
  readonly mailsPerRecipientPerHour: number
}
export const NotificationLimits = limits<NotificationLimits>('NotificationLimits', {
  mailsPerHour: 200,
  newRecipientsPerHour: 100,
  newSignersRecipientsPerHour: 10,
  strangerMailsPerHour: 10,
  strangersMailsPerHour: 100,
  mailsPerRecipientPerHour: 20,
})

/**
 * Hourly limits of single organizations (`BIN` and 12 digits), for systems and employees together and to any address: for
 * organizations known to the operator, such as a bank.
 */
export type MailBudgets = Readonly<Record<string, number>>
export const MailBudgets = port<MailBudgets>('MailBudgets', 'defaulted')

/** Throws a `TypeError` for an invalid BIN or number of mails. */
export function mailBudgetsOf(given: MailBudgets): MailBudgets {
  for (const [bin, mails] of Object.entries(given))
    if (!/^BIN\d{12}$/.test(bin) || !Number.isSafeInteger(mails) || mails < 1)
      throw new TypeError(`${bin}: ${mails} is no budget of mails`)
  return { ...given }
}
