import { Told } from './api.js'
import { texts } from './texts.js'

/** Whom something is to be sent to, as a form says it; `undefined` where nobody is named. */
export function recipientIn(form: FormData): { to: string; comment?: string } | undefined {
  const number = textIn(form, 'toNumber').replace(/\D/g, '')
  if (textIn(form, 'toNumber') === '') return undefined
  if (number.length !== 12) throw new Told(texts.badNumber)
  const comment = textIn(form, 'comment')
  return { to: `${textIn(form, 'toKind')}${number}`, ...(comment !== '' && { comment }) }
}

/** A field of a form, without the spaces around it. */
export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** Addresses in a field, separated by commas, semicolons or spaces. */
export const addressesIn = (form: FormData, name: string): string[] =>
  textIn(form, name)
    .split(/[\s,;]+/)
    .filter(Boolean)
