import type { ByteSource } from '../byte-source.js'
import type { Change } from '../signed-file.js'
import { compareForm } from './compare-form.js'
import { comparePages } from './compare-pages.js'
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

/**
 * Compares an older revision with a newer one: everything that can be reached from the root of the older one has to be the same, but
 * for what a signature adds in its place.
 */
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

  /** The changes, those of one kind at one place once. */
  find(): readonly Change[] {
    this.compareRoots()
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

  private compareRoots(): void {
    const { older, newer } = this
    const place = { kind: 'other' } as const
    const roots = this.both(older.revision.trailer.get('Root'), newer.revision.trailer.get('Root'), place)
    const [info, newInfo] = [older.revision.trailer.get('Info'), newer.revision.trailer.get('Info')]
    if (this.differs(info, newInfo)) this.say({ kind: 'metadata' }, { harmless: true })
    if (roots === undefined) return
    const [one, other] = roots
    if (this.differs(one.get('DSS'), other.get('DSS'))) this.say({ kind: 'evidence' }, { harmless: true })
    for (const key of ['Metadata', 'Version', 'Extensions'])
      if (this.differs(one.get(key), other.get(key))) this.say({ kind: 'metadata' }, { harmless: true })
    comparePages(this, one.get('Pages'), other.get('Pages'))
    compareForm(this, one.get('AcroForm'), other.get('AcroForm'))
    for (const key of new Set([...one.entries.keys(), ...other.entries.keys()])) {
      if (COMPARED_OTHERWISE.has(key)) continue
      const kind = key === 'Names' || key === 'AF' || key === 'Collection' ? 'attachment' : 'other'
      this.compare(one.get(key), other.get(key), { kind })
    }
  }

  /** Whether what stands at a place was replaced, at its first object. */
  private differs(older: PdfValue, newer: PdfValue): boolean {
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

const COMPARED_OTHERWISE: ReadonlySet<string> = new Set([
  'DSS',
  'Metadata',
  'Version',
  'Extensions',
  'Pages',
  'AcroForm',
])
