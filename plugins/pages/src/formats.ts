import type { NameAttribute } from '@signed-registry/client'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

/** UTC+5, the time of all of Kazakhstan; names of `Etc` zones have the opposite sign. */
const TIME_ZONE = 'Etc/GMT-5'
const ZONE_MS = 5 * 60 * 60 * 1000

/** Caches formatters: creating one takes a hundred times as long as using it. */
function once<Key extends readonly (string | number)[], T>(make: (...key: Key) => T): (...key: Key) => T {
  const made = new Map<string, T>()
  return (...key) => {
    const name = key.join(' ')
    const found = made.get(name) ?? make(...key)
    made.set(name, found)
    return found
  }
}
const moments = once(
  (language: Language) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE }),
)
const days = once(
  (language: Language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: TIME_ZONE }),
)
const sizes = once(
  (language: Language, unit: string, unitDisplay: 'long' | 'short', maximumFractionDigits: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }),
)

/** A date and time, readable by people and programs. */
export const time = (language: Language, ms: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${moment(language, ms)}</time>`

/** The same as a text. */
export const moment = (language: Language, ms: number): string => moments(language).format(ms)

/** A moment as a field for a date and time takes it, in the time zone of the pages. */
export const fieldTime = (ms: number): string => new Date(ms + ZONE_MS).toISOString().slice(0, 16)

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
  const fraction = value < 10 ? 1 : 0
  return sizes(language, UNITS[unit] ?? 'byte', unit === 0 ? 'long' : 'short', fraction).format(value)
}

type Name = readonly (readonly NameAttribute[])[]

const counts = once((language: Language) => new Intl.NumberFormat(language))

/** A number such as `1,234`. */
export const count = (language: Language, number: number): string => counts(language).format(number)

/** A part of a name, such as `CN`, or the empty string. */
export const namePart = (name: Name, part: string): string =>
  name.flat().find((attribute) => attribute.name === part && !attribute.valueInB64)?.value ?? ''

/** The full name of a person: surname, name, patronymic. */
export const personName = (name: Name): string =>
  [namePart(name, 'CN'), namePart(name, 'GIVENNAME')].filter((part) => part !== '').join(' ')

/** An IIN or BIN without its prefix. */
export const digits = (id: string): string => id.replace(/^(IIN|BIN)/, '')
