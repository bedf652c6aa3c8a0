import type { ByteSource } from '../byte-source.js'
import { notRead } from './errors.js'
import { NeedsMore, NotAnObject, PdfParser } from './parser.js'
import { PdfDictionary, PdfStream, type PdfValue } from './values.js'

/** Octets that are looked at for one object, more each time that they do not suffice: `Contents` are the largest. */
const WINDOWS = [1024, 64 * 1024, 2 * 1024 * 1024, 32 * 1024 * 1024]

/** An object of a file, with the number that it says itself. */
export interface PdfObject {
  readonly number: number
  readonly generation: number
  readonly value: PdfValue
  /** Where the next octet behind its value stands; of a stream, where its data begins. */
  readonly end: number
}

/** Parses at a place of a file; throws `fileNotRead` where there is nothing like it. */
export function parseAt<T>(source: ByteSource, at: number, parse: (parser: PdfParser) => T): T {
  if (at < 0 || at >= source.size) throw notRead('xrefBroken', { at })
  for (const window of WINDOWS) {
    const end = Math.min(at + window, source.size)
    try {
      return parse(new PdfParser(source.read(at, end), 0, at, end === source.size))
    } catch (error) {
      if (error instanceof NotAnObject) throw notRead('objectBroken', { at, explanation: error.message })
      if (!(error instanceof NeedsMore)) throw error
    }
  }
  throw notRead('objectTooLarge', { at })
}

/** An indirect object (ISO 32000-2, 7.3.10). */
export const objectAt = (source: ByteSource, at: number): PdfObject => parseAt(source, at, readObject)

function readObject(parser: PdfParser): PdfObject {
  const number = parser.integer()
  const generation = parser.integer()
  if (parser.word() !== 'obj') throw new NotAnObject('no obj')
  const value = parser.value()
  const end = parser.place
  const word = parser.word()
  if (word === 'endobj') return { number, generation, value, end }
  if (word !== 'stream' || !(value instanceof PdfDictionary)) throw new NotAnObject('no endobj')
  parser.skipStreamEnd()
  return { number, generation, value: new PdfStream(value, parser.place), end: parser.place }
}
