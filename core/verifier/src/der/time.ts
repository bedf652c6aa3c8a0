import { expectTag, GENERALIZED_TIME, UTC_TIME } from './fields.js'
import { type DerElement, DerError, octetAt } from './reader.js'

const ZERO = 0x30
const DOT = 0x2e
const ZULU = 0x5a
const MAX_DECIMALS = 9
/** Octets of `YYMMDDHHMMSS`, and of the same with four digits of the year. */
const UTC_DIGITS = 12
const GENERALIZED_DIGITS = 14
const FOUR_CENTURIES = 146_097 * 24 * 3_600_000
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads a UTCTime or GeneralizedTime with seconds, in UTC, without fractions (RFC 5280 4.1.2.5) to ms since the epoch. */
export function readTime(element: DerElement): number {
  if (element.tag !== UTC_TIME) return readGeneralizedTime(element)
  const { source, content, end } = element
  if (end - content !== UTC_DIGITS + 1 || source[end - 1] !== ZULU) throw new DerError('time is not a DER UTCTime')
  const year = twoDigits(source, content)
  return moment(year < 50 ? 2000 + year : 1900 + year, source, content + 2)
}

/** Reads a GeneralizedTime to ms since the epoch. `fraction` allows up to 9 decimals (RFC 3161 2.4.2); digits below ms are dropped. */
export function readGeneralizedTime(element: DerElement, { fraction = false, tag = GENERALIZED_TIME } = {}): number {
  expectTag(element, tag)
  const { source, content, end } = element
  const fractionStart = content + GENERALIZED_DIGITS
  if (end <= fractionStart || source[end - 1] !== ZULU) throw notGeneralized()
  const year = twoDigits(source, content) * 100 + twoDigits(source, content + 2)
  const milliseconds =
    fractionStart === end - 1 ? 0 : fraction ? readFraction(source, fractionStart, end - 1) : undefined
  if (milliseconds === undefined) throw notGeneralized()
  return moment(year, source, content + 4) + milliseconds
}

/** Milliseconds of a fraction, whose last digit must not be zero. */
function readFraction(source: Uint8Array, start: number, end: number): number {
  const decimals = end - start - 1
  if (source[start] !== DOT || decimals < 1 || decimals > MAX_DECIMALS || source[end - 1] === ZERO)
    throw notGeneralized()
  let milliseconds = 0
  for (let place = 0; place < Math.max(decimals, 3); place += 1) {
    const digit = place < decimals ? digitAt(source, start + 1 + place) : 0
    if (place < 3) milliseconds = milliseconds * 10 + digit
  }
  return milliseconds
}

/** The moment of a year and the ten digits `MMDDHHMMSS`. */
function moment(year: number, source: Uint8Array, offset: number): number {
  const month = twoDigits(source, offset)
  const day = twoDigits(source, offset + 2)
  const hour = twoDigits(source, offset + 4)
  const minute = twoDigits(source, offset + 6)
  const second = twoDigits(source, offset + 8)
  const exact = day > 0 && day <= daysIn(month, year) && hour < 24 && minute < 60 && second < 60
  if (!exact) throw new DerError('time is not in the calendar')
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; the calendar repeats after 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - FOUR_CENTURIES
}

/** Days in a month; 0 for an invalid month. */
function daysIn(month: number, year: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
}

const twoDigits = (source: Uint8Array, offset: number): number =>
  digitAt(source, offset) * 10 + digitAt(source, offset + 1)

function digitAt(source: Uint8Array, offset: number): number {
  const digit = octetAt(source, offset) - ZERO
  if (digit < 0 || digit > 9) throw new DerError('time is not made of digits')
  return digit
}

const notGeneralized = (): DerError => new DerError('time is not a DER GeneralizedTime')
