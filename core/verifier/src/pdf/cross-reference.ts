import type { ByteSource } from '../byte-source.js'
import { PdfEntries } from './entries.js'
import { notRead } from './errors.js'
import { type InflateBudget, streamData } from './inflate.js'
import { objectAt, parseAt } from './object-at.js'
import { elementsOf, nameText, PdfDictionary, PdfStream, type PdfValue } from './values.js'

/** A section of the cross reference, and the trailer that belongs to it (ISO 32000-2, 7.5.4, 7.5.5 and 7.5.8). */
export interface CrossReference {
  readonly at: number
  /** Where what stands behind it begins: `startxref`. */
  readonly end: number
  readonly entries: PdfEntries
  readonly trailer: PdfDictionary
  readonly previous: number | undefined
}

/** Reads the section at a place, a table or a stream. */
export function crossReferenceAt(source: ByteSource, at: number, budget: InflateBudget): CrossReference {
  const isTable = parseAt(source, at, (parser) => parser.word()) === 'xref'
  const found = isTable ? tableAt(source, at) : streamAt(source, at, budget)
  const hybrid = isTable ? found.trailer.get('XRefStm') : null
  if (hybrid === null) return found
  if (typeof hybrid !== 'number') throw notRead('xrefBroken', { at })
  const hidden = streamAt(source, hybrid, budget)
  for (let number = 0; number < hidden.entries.size; number += 1) {
    if (!hidden.entries.has(number)) continue
    // Readers differ in which of two they take: what is in use in the table must not be something else in the stream (7.5.8.4).
    if (!found.entries.isInUse(number)) found.entries.set(number, hidden.entries.get(number))
    else if (hidden.entries.isInUse(number) && !hidden.entries.isSame(number, found.entries))
      throw notRead('xrefBroken', { at: hybrid })
  }
  return found
}

const TABLE_ENTRY = /^(\d{10}) (\d{5}) ([nf])/
/** An entry has 20 octets; the writer of some ends lines with one octet. */
const ENTRY = 20

function tableAt(source: ByteSource, at: number): CrossReference {
  const entries = new PdfEntries()
  let place = parseAt(source, at, (parser) => {
    parser.word()
    parser.skipSpace()
    return parser.place
  })
  for (;;) {
    const head = parseAt(source, place, (parser) => {
      const first = parser.word()
      if (first === 'trailer') return { isTrailer: true, place: parser.place } as const
      const count = parser.integer()
      if (!/^\d{1,10}$/.test(first)) throw notRead('xrefBroken', { at: place })
      parser.skipSpace()
      return { isTrailer: false, first: Number(first), count, place: parser.place } as const
    })
    place = head.place
    if (head.isTrailer) break
    place = subsection(source, place, head, entries)
  }
  const { trailer, end } = parseAt(source, place, (parser) => {
    const value = parser.value()
    return { trailer: value, end: parser.place }
  })
  if (!(trailer instanceof PdfDictionary) || trailer.doubled !== undefined) throw notRead('trailerBroken', { at })
  return { at, end, entries, trailer, previous: previousOf(trailer) }
}

/** Reads the entries of a subsection, and answers where the next one begins. */
function subsection(
  source: ByteSource,
  from: number,
  { first, count }: { first: number; count: number },
  entries: PdfEntries,
): number {
  let place = from
  const LINES = 4096
  for (let done = 0; done < count; done += LINES) {
    const lines = Math.min(LINES, count - done)
    const text = Buffer.from(source.read(place, Math.min(place + lines * ENTRY + 2, source.size))).toString('latin1')
    let at = 0
    for (let index = 0; index < lines; index += 1) {
      const [line, offset = '', generation = '', kind] = TABLE_ENTRY.exec(text.slice(at, at + ENTRY)) ?? []
      if (line === undefined) throw notRead('xrefBroken', { at: place + at })
      const number = first + done + index
      if (entries.has(number)) throw notRead('xrefBroken', { at: place + at, number })
      // Some writers have entries in use at 0: there is nothing.
      const isInUse = kind === 'n' && Number(offset) > 0
      entries.set(number, isInUse ? { in: 'file', at: Number(offset), generation: Number(generation) } : undefined)
      at += line.length
      for (let blanks = 0; blanks < 2 && /[ \r\n]/.test(text[at] ?? ''); blanks += 1) at += 1
    }
    place += at
  }
  return parseAt(source, place, (parser) => {
    parser.skipSpace()
    return parser.place
  })
}

function streamAt(source: ByteSource, at: number, budget: InflateBudget): CrossReference {
  const { value } = objectAt(source, at)
  if (!(value instanceof PdfStream) || nameText(value.dictionary.get('Type')) !== 'XRef')
    throw notRead('xrefBroken', { at })
  const { dictionary } = value
  if (dictionary.doubled !== undefined) throw notRead('trailerBroken', { at })
  const length = dictionary.get('Length')
  if (typeof length !== 'number') throw notRead('xrefBroken', { at })
  const data = streamData(source, value, { length, resolve: (one) => one, budget })
  const entries = entriesIn(data, dictionary, at)
  const end = parseAt(source, value.dataAt + length, (parser) => {
    if (parser.word() !== 'endstream' || parser.word() !== 'endobj') throw notRead('streamLength', { at })
    return parser.place
  })
  return { at, end, entries, trailer: dictionary, previous: previousOf(dictionary) }
}

function entriesIn(data: Uint8Array, dictionary: PdfDictionary, at: number): PdfEntries {
  const widths = numbers(dictionary.get('W'))
  const [type = 0, first = 0, second = 0] = widths
  const width = type + first + second
  if (widths.length !== 3 || widths.some((one) => one > 8) || width === 0) throw notRead('xrefBroken', { at })
  const size = dictionary.get('Size')
  const index = dictionary.get('Index')
  const sections = index === null ? [0, typeof size === 'number' ? size : 0] : numbers(index)
  const entries = new PdfEntries()
  let place = 0
  const field = (octets: number, otherwise: number): number => {
    if (octets === 0) return otherwise
    let value = 0
    for (let one = 0; one < octets; one += 1) value = value * 256 + (data[place + one] ?? 0)
    place += octets
    return value
  }
  for (let section = 0; section + 1 < sections.length; section += 2) {
    const [begin = 0, count = 0] = sections.slice(section, section + 2)
    if (place + count * width > data.length) throw notRead('xrefBroken', { at })
    for (let number = begin; number < begin + count; number += 1) {
      const kind = field(type, 1)
      const [one, other] = [field(first, 0), field(second, 0)]
      if (entries.has(number)) throw notRead('xrefBroken', { at, number })
      if (kind === 1) entries.set(number, { in: 'file', at: one, generation: other })
      else if (kind === 2) entries.set(number, { in: 'stream', stream: one, index: other })
      else entries.set(number, undefined)
    }
  }
  return entries
}

/** Numbers of an array; none where one is no non-negative integer. */
function numbers(value: PdfValue): number[] {
  const all = elementsOf(value).map((one) => (typeof one === 'number' && Number.isInteger(one) && one >= 0 ? one : -1))
  return all.includes(-1) ? [] : all
}

function previousOf(trailer: PdfDictionary): number | undefined {
  const value = trailer.get('Prev')
  if (value === null) return undefined
  if (typeof value !== 'number') throw notRead('xrefBroken')
  return value
}
