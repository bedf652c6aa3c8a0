import { mark, sayField, signatureFieldIn } from './added-field.js'
import type { PdfField } from './fields.js'
import type { RevisionComparison } from './revision-comparison.js'
import { elementsOf, PdfDictionary, PdfRef, type PdfValue } from './values.js'

const FORM: ReadonlySet<string> = new Set(['Fields', 'SigFlags'])
/** What a signature writes into the field that was made for it. */
const SIGNED: ReadonlySet<string> = new Set(['V', 'AP', 'M', 'Parent', 'Kids', 'P'])
const PLACE: ReadonlySet<string> = new Set(['Parent', 'Kids', 'P'])
const VALUE: ReadonlySet<string> = new Set(['V', 'AP', 'AS', 'DV', 'I', 'RV', 'M', ...PLACE])

/** Compares the forms of two revisions: fields stay as they are, but for signatures in the fields meant for them (ISO 32000-2, 12.7). */
export function compareForm(comparison: RevisionComparison, older: PdfValue, newer: PdfValue): void {
  const form = comparison.older.dictionary(older)
  const newForm = comparison.newer.dictionary(newer)
  if (form === undefined) {
    // A form that comes with the first signature: its fields are looked at, and what they are drawn with is theirs.
    for (const key of ['NeedAppearances', 'XFA'])
      if (newForm !== undefined && newForm.get(key) !== null) comparison.say({ kind: 'formField' })
  } else comparison.compare(form, newForm ?? null, { kind: 'formField' }, FORM)
  compareFields(comparison, form?.get('Fields') ?? null, newForm?.get('Fields') ?? null)
  for (const number of comparison.olderFields.numbers) compareField(comparison, number)
}

/** Fields stay, in their order; only signature fields may come. */
function compareFields(comparison: RevisionComparison, older: PdfValue, newer: PdfValue): void {
  const all = elementsOf(comparison.older.resolve(older))
  let at = 0
  for (const field of elementsOf(comparison.newer.resolve(newer))) {
    const known = all[at]
    if (known instanceof PdfRef && field instanceof PdfRef && known.number === field.number) at += 1
    else if (known !== undefined && !(known instanceof PdfRef)) {
      at += 1
      comparison.compare(known, field, { kind: 'formField' })
    } else {
      const added = field instanceof PdfRef ? signatureFieldIn(comparison, field) : undefined
      if (added === undefined) comparison.say({ kind: 'formField' })
      // What stands on a page was said there.
      else if (!comparison.changes.some(({ name }) => name === added.name)) sayField(comparison, added)
    }
  }
  if (at < all.length) comparison.say({ kind: 'formField' })
}

function compareField(comparison: RevisionComparison, number: number): void {
  const { older, newer } = comparison
  const signed = fieldAt(comparison, number)
  const name = signed?.name
  const place = { kind: 'formField', ...(name !== undefined && { name }) } as const
  const [one, other] = [older.object(number), newer.object(number)]
  if (!(one instanceof PdfDictionary && other instanceof PdfDictionary)) {
    comparison.compare(one, other, place)
    return
  }
  const kids = [elementsOf(older.resolve(one.get('Kids'))), elementsOf(newer.resolve(other.get('Kids')))] as const
  if (!hasSameKids(...kids)) comparison.say(place)
  if (signed !== undefined && isNewlySigned(comparison, signed)) {
    comparison.compare(one, other, place, SIGNED)
    const page = one.get('P')
    const shown = mark(comparison, other, page instanceof PdfRef ? comparison.pages.get(page.number) : undefined)
    comparison.say({ kind: 'signature', ...(name !== undefined && { name }) }, shown)
    return
  }
  comparison.compare(pick(one, VALUE), pick(other, VALUE), place, PLACE)
  comparison.compare(one, other, { ...place, kind: 'annotation' }, VALUE)
}

/** The field of an object, which may be the place of a field on a page. */
function fieldAt({ older, olderFields }: RevisionComparison, number: number): PdfField | undefined {
  const own = olderFields.byNumber.get(number)
  if (own !== undefined) return own
  const parent = older.dictionary(older.object(number))?.get('Parent') ?? null
  return parent instanceof PdfRef ? olderFields.byNumber.get(parent.number) : undefined
}

const isNewlySigned = ({ newer }: RevisionComparison, { type, value, number }: PdfField): boolean =>
  type === 'Sig' && value === null && number !== undefined && newer.dictionary(newer.object(number))?.get('V') !== null

const hasSameKids = (older: readonly PdfValue[], newer: readonly PdfValue[]): boolean =>
  older.length === newer.length &&
  older.every((kid, index) => {
    const other = newer[index]
    return kid instanceof PdfRef && other instanceof PdfRef && kid.number === other.number
  })

/** A dictionary with some of its entries. */
function pick(dictionary: PdfDictionary, keys: ReadonlySet<string>): PdfDictionary {
  const picked = new PdfDictionary()
  picked.doubled = dictionary.doubled
  for (const [key, value] of dictionary.entries) if (keys.has(key)) picked.entries.set(key, value)
  return picked
}
