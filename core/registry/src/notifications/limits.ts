import { limits } from '../kernel/limits.js'
import { port } from '../kernel/port.js'

/** Limits of mail that callers ask for, each in an hour; 0 for no limit. */
export interface NotificationLimits {
  /** Mails that one caller, or one signer, may ask for. */
  readonly mailsPerHour: number
  /** Addresses among them that they have not written to within a month. */
  readonly newRecipientsPerHour: number
  /** The same of who came to the registry within the last day. */
  readonly newSignersRecipientsPerHour: number
  /** Mails that one network may ask for, and one address may get, where nobody with a name asks. */
  readonly strangerMailsPerHour: number
  /** Mails that all together ask for who have no name. */
  readonly strangersMailsPerHour: number
  /** Mails that one address gets because others named it. */
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
 * Mails that organizations (`BIN` and 12 digits) may ask for in an hour, their systems and employees together, to new addresses
 * or others: those that are known to the operator, such as a bank.
 */
export type MailBudgets = Readonly<Record<string, number>>
export const MailBudgets = port<MailBudgets>('MailBudgets', 'defaulted')

/** Throws a `TypeError` for what is no organization or no number of mails. */
export function mailBudgetsOf(given: MailBudgets): MailBudgets {
  for (const [bin, mails] of Object.entries(given))
    if (!/^BIN\d{12}$/.test(bin) || !Number.isSafeInteger(mails) || mails < 1)
      throw new TypeError(`${bin}: ${mails} is no budget of mails`)
  return { ...given }
}
