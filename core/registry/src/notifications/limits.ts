import { limits } from '../kernel/limits.js'

/** Limits of mail that callers ask for. */
export interface NotificationLimits {
  /** Mails in an hour that one caller, or one signer, may ask for; 0 for no limit. */
  readonly mailsPerHour: number
}
export const NotificationLimits = limits<NotificationLimits>('NotificationLimits', { mailsPerHour: 200 })
