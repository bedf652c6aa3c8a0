import type { ByteSource } from '../byte-source.js'
import { PdfDictionary, PdfName, PdfRef, PdfStream, PdfString, type PdfValue } from './values.js'

/** Values of an older and a newer revision, and what of both is referred to at the same place. */
export interface ComparedValues {
  readonly isSame: boolean
  /** References that are the same in both. */
  readonly references: readonly PdfRef[]
}

/** How the data of streams is compared. */
export interface StreamOctets {
  readonly source: ByteSource
  /** Octets of the data of a stream in the older, and in the newer revision. */
  readonly older: (stream: PdfStream) => number
  readonly newer: (stream: PdfStream) => number
}

const PIECE = 1024 * 1024

/**
 * Whether two values are equal as they stand: references by their numbers, streams by the octets of their data. `without` are keys
 * of the dictionary that are left out.
 */
export function compareValues(
  older: PdfValue,
  newer: PdfValue,
  streams: StreamOctets,
  without: ReadonlySet<string> = NONE,
): ComparedValues {
  const references: PdfRef[] = []
  return { isSame: same(older, newer, without), references }

  function same(one: PdfValue, other: PdfValue, left: ReadonlySet<string> = NONE): boolean {
    if (one instanceof PdfRef) {
      if (!(other instanceof PdfRef) || one.number !== other.number || one.generation !== other.generation) return false
      references.push(one)
      return true
    }
    if (one instanceof PdfName) return other instanceof PdfName && one.text === other.text
    if (one instanceof PdfString) return other instanceof PdfString && Buffer.compare(one.bytes, other.bytes) === 0
    if (one instanceof PdfDictionary) return other instanceof PdfDictionary && sameEntries(one, other, left)
    if (one instanceof PdfStream)
      return other instanceof PdfStream && sameEntries(one.dictionary, other.dictionary, left) && sameData(one, other)
    if (!Array.isArray(one)) return one === other
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element: PdfValue, index) => same(element, other[index] ?? null))
    )
  }

  function sameEntries(one: PdfDictionary, other: PdfDictionary, left: ReadonlySet<string>): boolean {
    if (one.doubled !== undefined || other.doubled !== undefined) return false
    const keys = new Set([...one.entries.keys(), ...other.entries.keys()])
    return [...keys].every((key) => left.has(key) || same(one.get(key), other.get(key)))
  }

  function sameData(one: PdfStream, other: PdfStream): boolean {
    const length = streams.older(one)
    if (length !== streams.newer(other)) return false
    if (one.dataAt === other.dataAt) return true
    for (let at = 0; at < length; at += PIECE) {
      const end = Math.min(at + PIECE, length)
      const piece = streams.source.read(one.dataAt + at, one.dataAt + end)
      if (Buffer.compare(piece, streams.source.read(other.dataAt + at, other.dataAt + end)) !== 0) return false
    }
    return true
  }
}

const NONE: ReadonlySet<string> = new Set()
