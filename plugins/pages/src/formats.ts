import type { NameAttribute } from '@signed-registry/client'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

/** UTC+5, the time of all of Kazakhstan; the name of the zone has its sign the other way round. */
const TIME_ZONE = 'Etc/GMT-5'

const perLanguage = <T>(make: (language: Language) => T): ((language: Language) => T) => {
  const made = new Map<Language, T>()
  return (language) => {
    const found = made.get(language) ?? make(language)
    made.set(language, found)
    return found
  }
}
const moments = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE }),
)
const days = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: TIME_ZONE }))

/** A moment, for people and for programs. */
export const time = (language: Language, ms: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${moments(language).format(ms)}</time>`

/** A day. */
export const day = (language: Language, ms: number): string => days(language).format(ms)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** A size such as `1.2 MB`. */
export function size(language: Language, bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const options = {
    style: 'unit',
    unit: UNITS[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const
  return new Intl.NumberFormat(language, options).format(value)
}

type Name = readonly (readonly NameAttribute[])[]

/** A part of a name, such as `CN`; the empty text where it is not there. */
export const namePart = (name: Name, part: string): string =>
  name.flat().find((attribute) => attribute.name === part && !attribute.valueInB64)?.value ?? ''

/** A person as they are called: surname, name, patronymic. */
export const personName = (name: Name): string =>
  [namePart(name, 'CN'), namePart(name, 'GIVENNAME')].filter((part) => part !== '').join(' ')

/** Numbers of people and organizations without their prefix. */
export const digits = (id: string): string => id.replace(/^(IIN|BIN)/, '')
