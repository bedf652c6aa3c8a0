import { Told } from './api.js'
import { texts } from './texts.js'

/** The recipient that a form names, if any. */
export function recipientIn(form: FormData): { to: string; comment?: string } | undefined {
  const number = textIn(form, 'toNumber').replace(/\D/g, '')
  if (textIn(form, 'toNumber') === '') return undefined
  if (number.length !== 12) throw new Told(texts.badNumber)
  const comment = textIn(form, 'comment')
  return { to: `${textIn(form, 'toKind')}${number}`, ...(comment !== '' && { comment }) }
}

/** The trimmed value of a form field. */
export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** Addresses in a field, separated by commas, semicolons or spaces. */
export const addressesIn = (form: FormData, name: string): string[] =>
  textIn(form, name)
    .split(/[\s,;]+/)
    .filter(Boolean)
