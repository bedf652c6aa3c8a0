import { inflateSync } from 'node:zlib'
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'

const LENGTH = PDFName.of('Length')
const FILTER = PDFName.of('Filter')
/** Limit for inflating streams whose compressed octets differ; a page that we draw has a few thousand octets. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024
const PARAMETERS = PDFName.of('DecodeParms')

/** Compares the objects of two PDFs, whatever their object numbers. */
export class SameObjects {
  /** Pairs of references that were or are being compared: references may form cycles. */
  private readonly seen = new Map<string, boolean>()

  constructor(
    private readonly own: PDFContext,
    private readonly others: PDFContext,
  ) {}

  /** Whether two objects and everything they refer to are equal. */
  same(one: PDFObject | undefined, other: PDFObject | undefined): boolean {
    if (one === undefined || other === undefined) return one === other
    if (one instanceof PDFRef && other instanceof PDFRef) return this.sameReferred(one, other)
    if (one instanceof PDFDict && other instanceof PDFDict) return this.sameEntries(one, other)
    if (one instanceof PDFArray && other instanceof PDFArray)
      return one.size() === other.size() && one.asArray().every((item, at) => this.same(item, other.asArray()[at]))
    if (one instanceof PDFRawStream && other instanceof PDFRawStream)
      return this.sameEntries(one.dict, other.dict, LENGTH) && sameContents(one, other)
    return one.constructor === other.constructor && !(one instanceof PDFStream) && one.toString() === other.toString()
  }

  private sameReferred(one: PDFRef, other: PDFRef): boolean {
    const pair = `${one.tag} ${other.tag}`
    const known = this.seen.get(pair)
    if (known !== undefined) return known
    this.seen.set(pair, true)
    const isSame = this.same(this.own.lookup(one), this.others.lookup(other))
    this.seen.set(pair, isSame)
    return isSame
  }

  private sameEntries(one: PDFDict, other: PDFDict, except?: PDFName): boolean {
    const keys = new Set([...one.keys(), ...other.keys()].filter((key) => key !== except))
    return [...keys].every((key) => this.same(one.get(key), other.get(key)))
  }
}

/** Whether two streams with equal dictionaries have the same octets, as stored or inflated. */
function sameContents(one: PDFRawStream, other: PDFRawStream): boolean {
  if (Buffer.compare(one.contents, other.contents) === 0) return true
  const { dict } = other
  if (dict.lookup(FILTER) !== PDFName.of('FlateDecode') || dict.has(PARAMETERS)) return false
  const inflated = inflatedAtMost(other.contents, MAX_INFLATED_BYTES)
  return inflated !== undefined && (inflatedAtMost(one.contents, inflated.length)?.equals(inflated) ?? false)
}

/** The inflated octets; `undefined` if they exceed the limit or cannot be inflated. */
function inflatedAtMost(contents: Uint8Array, maxBytes: number): Buffer | undefined {
  try {
    return inflateSync(contents, { maxOutputLength: Math.max(maxBytes, 1) })
  } catch {
    return undefined
  }
}
