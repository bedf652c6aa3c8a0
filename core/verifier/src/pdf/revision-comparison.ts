import type { ByteSource } from '../byte-source.js'
import type { Change } from '../signed-file.js'
import { notRead } from './errors.js'
import { fieldsOf, type PdfFields } from './fields.js'
import { pageNumbers } from './page-numbers.js'
import type { PdfDocument } from './pdf-document.js'
import { type ComparedValues, compareValues } from './same-values.js'
import { PdfDictionary, PdfRef, type PdfValue } from './values.js'

/** What a difference is called at the place where it was found. */
export interface ChangePlace {
  readonly kind: Change['kind']
  readonly page?: number
  readonly name?: string
}

/** Objects that are compared in one pair of revisions. */
const MAX_COMPARED = 4_000_000

/** Compares what stands at the same places in an older and in a newer revision, and everything that it refers to. */
export class RevisionComparison {
  readonly changes: Change[] = []
  readonly pages: ReadonlyMap<number, number>
  readonly olderFields: PdfFields
  readonly newerFields: PdfFields
  private readonly waiting: { readonly reference: PdfRef; readonly place: ChangePlace }[] = []
  /** Numbers of objects that were compared, by the kind of their place. */
  private readonly seen = new Map<string, Set<number>>()
  private compared = 0

  constructor(
    private readonly source: ByteSource,
    readonly older: PdfDocument,
    readonly newer: PdfDocument,
  ) {
    this.pages = pageNumbers(older)
    this.olderFields = fieldsOf(older)
    this.newerFields = fieldsOf(newer)
  }

  /** Compares what the places compared so far refer to; the changes, those of one kind at one place once. */
  find(): readonly Change[] {
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop())
      this.compareObjects(next.reference, next.place)
    const distinct = new Map(this.changes.map((one) => [JSON.stringify(one), one]))
    return [...distinct.values()]
  }

  say(place: ChangePlace, more: Partial<Change> = {}): void {
    this.changes.push({ harmless: false, forbidden: false, ...place, ...more })
  }

  /** Compares values that have to be the same, and everything that they refer to. */
  compare(older: PdfValue, newer: PdfValue, place: ChangePlace, without?: ReadonlySet<string>): void {
    const { isSame, references } = this.values(older, newer, without)
    if (!isSame) this.say(place)
    for (const reference of references) this.follow(reference, place)
  }

  /** The dictionaries that stand at the same place in both; where only one has one, that is a change. */
  both(older: PdfValue, newer: PdfValue, place: ChangePlace): readonly [PdfDictionary, PdfDictionary] | undefined {
    const [one, other] = [this.older.resolve(older), this.newer.resolve(newer)]
    if (one instanceof PdfDictionary && other instanceof PdfDictionary) return [one, other]
    this.compare(older, newer, place)
    return undefined
  }

  /** Whether what stands at a place was replaced, at its first object. */
  differs(older: PdfValue, newer: PdfValue): boolean {
    if (!this.values(older, newer).isSame) return true
    return older instanceof PdfRef && !this.isUntouched(older.number)
  }

  private isUntouched(number: number): boolean {
    const [one, other] = [this.older.entries, this.newer.entries]
    if (!one.isSame(number, other)) return false
    const entry = one.get(number)
    return entry?.in !== 'stream' || one.isSame(entry.stream, other)
  }

  private follow(reference: PdfRef, place: ChangePlace): void {
    const { number } = reference
    // Pages and fields are compared at their own places, and may be referred to from anywhere.
    if (this.pages.has(number) || this.olderFields.numbers.has(number)) return
    const seen = this.seen.get(place.kind) ?? new Set()
    this.seen.set(place.kind, seen)
    if (seen.has(number)) return
    seen.add(number)
    this.waiting.push({ reference, place })
  }

  private compareObjects(reference: PdfRef, place: ChangePlace): void {
    this.compared += 1
    if (this.compared > MAX_COMPARED) throw notRead('tooManyObjects')
    const older = this.older.at(reference)
    this.compare(older, this.isUntouched(reference.number) ? older : this.newer.at(reference), place)
  }

  private values(older: PdfValue, newer: PdfValue, without?: ReadonlySet<string>): ComparedValues {
    const streams = {
      source: this.source,
      older: (stream: Parameters<PdfDocument['lengthOf']>[0]) => this.older.lengthOf(stream),
      newer: (stream: Parameters<PdfDocument['lengthOf']>[0]) => this.newer.lengthOf(stream),
    }
    return compareValues(older, newer, streams, without)
  }
}
