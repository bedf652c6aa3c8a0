import type { SendRequest as Send } from '@signed-registry/client'
import { Told } from './api.js'
import { texts } from './texts.js'

/** The recipient that a form names, if any, with what is wanted of them. */
export function recipientIn(form: FormData): Send | undefined {
  const number = textIn(form, 'toNumber').replace(/\D/g, '')
  if (textIn(form, 'toNumber') === '') return undefined
  if (number.length !== 12) throw new Told(texts.badNumber, 'toNumber')
  const comment = textIn(form, 'comment')
  return {
    to: `${textIn(form, 'toKind')}${number}`,
    ...(comment !== '' && { comment }),
    ...(form.get('wanted') === 'sign' && { toSign: true }),
    ...(textIn(form, 'deadline') !== '' && { deadline: momentIn(form, 'deadline') }),
  }
}

/** A date and time that was entered, in UTC+5 like all times on pages. */
export const momentIn = (form: FormData, name: string): number => Date.parse(`${textIn(form, name)}:00+05:00`)

/** The trimmed value of a form field. */
export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** Addresses in a field, separated by commas, semicolons or spaces. */
export const addressesIn = (form: FormData, name: string): string[] =>
  textIn(form, name)
    .split(/[\s,;]+/)
    .filter(Boolean)
