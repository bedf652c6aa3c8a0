import { limits } from '../kernel/limits.js'
import { port } from '../kernel/port.js'

/** Limits of mails. */
export interface MailLimits {
  /** Bytes of all originals that are attached to one mail. */
  readonly mailAttachment: number
  /** People who signed a document before and are told of one more signature; 0 for no limit. */
  readonly mailedSigners: number
}
export const MailLimits = limits<MailLimits>('MailLimits', {
  mailAttachment: 10 * 1024 * 1024,
  mailedSigners: 1000,
})

/** Languages of mails to people who named none: `ru`, `kk`, `en`, or several joined by `/`. */
export type MailLanguage = string
export const MailLanguage = port<MailLanguage>('MailLanguage', 'defaulted')
/** Nobody knows what the recipient reads: both languages of the country. */
export const defaultMailLanguage = 'kk/ru'
