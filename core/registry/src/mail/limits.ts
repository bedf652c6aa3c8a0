import { limits } from '../kernel/limits.js'
import { port } from '../kernel/port.js'

/** Limits of mails. */
export interface MailLimits {
  /** Bytes of all originals that are attached to one mail. */
  readonly mailAttachment: number
  /** Earlier signers of a document who are told of a new signature; 0 for no limit. */
  readonly mailedSigners: number
}
export const MailLimits = limits<MailLimits>('MailLimits', {
  mailAttachment: 10 * 1024 * 1024,
  mailedSigners: 1000,
})

/** Languages of mails to people who chose none: `ru`, `kk`, `en`, or several joined by `/`. */
export type MailLanguage = string
export const MailLanguage = port<MailLanguage>('MailLanguage', 'defaulted')
/** Both languages of the country, since nobody knows which one the recipient reads. */
export const defaultMailLanguage = 'kk/ru'

/** Where the operator of the service is written to, if anywhere. */
export type OperatorAddresses = readonly string[]
export const OperatorAddresses = port<OperatorAddresses>('OperatorAddresses', 'defaulted')
