import { expectTag, GENERALIZED_TIME, UTC_TIME } from './fields.js'
import { contents, type DerElement, DerError } from './reader.js'

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{0,8}[1-9]))?Z$/

/** Reads a UTCTime or GeneralizedTime with seconds, in UTC, without fractions (RFC 5280 4.1.2.5) to ms since the epoch. */
export function readTime(element: DerElement): number {
  if (element.tag !== UTC_TIME) return readGeneralizedTime(element)
  const parts = UTC.exec(ascii(element))
  if (parts === null) throw new DerError('time is not a DER UTCTime')
  const year = Number(parts[1])
  return moment(parts, year < 50 ? 2000 + year : 1900 + year)
}

/** Reads a GeneralizedTime to ms since the epoch. `fraction` allows up to 9 decimals (RFC 3161 2.4.2); digits below ms are dropped. */
export function readGeneralizedTime(element: DerElement, { fraction = false, tag = GENERALIZED_TIME } = {}): number {
  expectTag(element, tag)
  const parts = GENERALIZED.exec(ascii(element))
  if (parts === null || (parts[7] !== undefined && !fraction)) throw new DerError('time is not a DER GeneralizedTime')
  return moment(parts, Number(parts[1])) + Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
}

function ascii(element: DerElement): string {
  if (element.end - element.content > 32) throw new DerError('time is too long')
  return String.fromCharCode(...contents(element))
}

function moment(parts: RegExpExecArray, year: number): number {
  const [month, day, hour, minute, second] = parts.slice(2, 7).map(Number) as [number, number, number, number, number]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const exact = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!exact) throw new DerError('time is not in the calendar')
  return date.getTime()
}
