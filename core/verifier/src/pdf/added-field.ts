import type { Change } from '../signed-file.js'
import type { RevisionComparison } from './revision-comparison.js'
import { elementsOf, nameText, PdfDictionary, type PdfRef, PdfString, type PdfValue } from './values.js'

type Box = readonly [number, number, number, number]

/** What a signature field may have that is its own place on a page (ISO 32000-2, 12.5.2, 12.5.6.19, 12.7.5.5): no actions. */
const KEYS: ReadonlySet<string> = new Set([
  ...[
    'Type',
    'Subtype',
    'FT',
    'T',
    'TU',
    'TM',
    'V',
    'Rect',
    'P',
    'F',
    'Ff',
    'AP',
    'M',
    'NM',
    'MK',
    'BS',
    'Border',
    'H',
  ],
  ...['DA', 'Lock', 'SV', 'StructParent'],
])
/** Annotation flags: hidden, or not viewed. */
const UNSEEN = 2 | 32
/** Part of a page that the mark of a signature may take. */
const LARGEST = 0.25

/** A signature field that a newer revision added. */
export interface AddedField {
  readonly dictionary: PdfDictionary
  readonly name: string
  readonly isTimeStamp: boolean
}

/** An object as a signature field that was added; `undefined` where it is none, or does something else as well. */
export function signatureFieldIn(comparison: RevisionComparison, { number }: PdfRef): AddedField | undefined {
  const { older, newer, newerFields } = comparison
  if (older.entries.isInUse(number)) return undefined
  const dictionary = newer.object(number)
  const field = newerFields.byNumber.get(number)
  if (!(dictionary instanceof PdfDictionary) || field === undefined || dictionary.doubled !== undefined)
    return undefined
  if (nameText(newer.resolve(dictionary.get('FT'))) !== 'Sig') return undefined
  if ([...dictionary.entries.keys()].some((key) => !KEYS.has(key))) return undefined
  const value = newer.dictionary(dictionary.get('V'))
  const isTimeStamp = nameText(newer.resolve(value?.get('SubFilter') ?? null)) === 'ETSI.RFC3161'
  return { dictionary, name: field.name, isTimeStamp }
}

/** Whether an annotation that was added to a page is the place of a signature field, which is said then. */
export function addedField(comparison: RevisionComparison, annotation: PdfRef, page: number): boolean {
  const found = signatureFieldIn(comparison, annotation)
  if (found !== undefined) sayField(comparison, found, page)
  return found !== undefined
}

/** Says that a signature field was added. */
export function sayField(
  comparison: RevisionComparison,
  { dictionary, name, isTimeStamp }: AddedField,
  page?: number,
): void {
  const kind = isTimeStamp ? 'documentTimeStamp' : 'signatureField'
  const shown = mark(comparison, dictionary, page)
  // The mark of somebody who has not signed may be anything.
  const isUnsigned = shown.box !== undefined && dictionary.get('V') === null && dictionary.get('AP') !== null
  comparison.say({ kind, name }, { ...shown, harmless: shown.harmless && !isUnsigned })
}

/** What a signature shows on a page, and whether it leaves room for what was there: at most a quarter of it, over nothing else. */
export function mark(
  comparison: RevisionComparison,
  dictionary: PdfDictionary,
  page: number | undefined,
): Pick<Change, 'harmless' | 'page' | 'box'> {
  const box = boxOf(comparison, dictionary)
  if (box === undefined) return { harmless: true }
  if (page === undefined) return { harmless: false, box }
  const own = textOf(dictionary.get('T'))
  const isOver = boxesOn(comparison, page).some(({ box: other, name }) => name !== own && overlap(box, other))
  return { harmless: !isOver && isSmall(comparison, box, page), page, box }
}

/** Where it is seen; `undefined` where it is not. */
function boxOf({ newer }: RevisionComparison, dictionary: PdfDictionary): Box | undefined {
  const flags = newer.resolve(dictionary.get('F'))
  if (typeof flags === 'number' && (flags & UNSEEN) !== 0) return undefined
  const box = boxIn(newer.resolve(dictionary.get('Rect')), (value) => newer.resolve(value))
  return box !== undefined && (box[2] - box[0]) * (box[3] - box[1]) > 0 ? box : undefined
}

function boxIn(value: PdfValue, resolve: (value: PdfValue) => PdfValue): Box | undefined {
  const numbers = elementsOf(value).map((one) => resolve(one))
  const [a, b, c, d] = numbers.map((one) => (typeof one === 'number' ? one : Number.NaN))
  if (a === undefined || b === undefined || c === undefined || d === undefined || numbers.length !== 4) return undefined
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

const textOf = (value: PdfValue): string | undefined => (value instanceof PdfString ? value.text : undefined)

const overlap = (one: Box, other: Box): boolean =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]

/** The places of what was on the page before. */
function boxesOn(
  { older, pages }: RevisionComparison,
  page: number,
): { readonly box: Box; readonly name: string | undefined }[] {
  const number = [...pages].find(([, one]) => one === page)?.[0] ?? -1
  const annotations = elementsOf(older.resolve(older.dictionary(older.object(number))?.get('Annots') ?? null))
  return annotations.flatMap((one) => {
    const dictionary = older.dictionary(one)
    const box = boxIn(older.resolve(dictionary?.get('Rect') ?? null), (value) => older.resolve(value))
    return box === undefined ? [] : [{ box, name: textOf(dictionary?.get('T') ?? null) }]
  })
}

function isSmall({ older, pages }: RevisionComparison, box: Box, page: number): boolean {
  const number = [...pages].find(([, one]) => one === page)?.[0] ?? -1
  let node = older.dictionary(older.object(number))
  for (let depth = 0; node !== undefined && depth < 64; depth += 1) {
    const media = boxIn(older.resolve(node.get('MediaBox')), (value) => older.resolve(value))
    if (media !== undefined) {
      const all = (media[2] - media[0]) * (media[3] - media[1])
      return (box[2] - box[0]) * (box[3] - box[1]) <= all * LARGEST
    }
    node = older.dictionary(node.get('Parent'))
  }
  return false
}
