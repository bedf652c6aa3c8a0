import { notRead } from './errors.js'
import type { PdfDocument } from './pdf-document.js'
import { elementsOf, nameText, PdfDictionary, PdfRef, PdfString, type PdfValue } from './values.js'

/** A form field without fields below it (ISO 32000-2, 12.7.4), with what it has of those above. */
export interface PdfField {
  /** Its names from the top on, with full stops between them. */
  readonly name: string
  /** `FT`: such as `Sig` or `Tx`. */
  readonly type: string | undefined
  /** The number of its object; `undefined` where it stands in an array itself. */
  readonly number: number | undefined
  readonly dictionary: PdfDictionary
  /** `V` as it stands, its own or of a field above. */
  readonly value: PdfValue
}

/** All fields, and the numbers of all objects that are fields or their places on pages. */
export interface PdfFields {
  readonly fields: readonly PdfField[]
  readonly byNumber: ReadonlyMap<number, PdfField>
  readonly numbers: ReadonlySet<number>
}

const MAX_FIELDS = 50_000
const MAX_DEPTH = 32

/** The fields of the form of a document; throws `fileNotRead` where there are too many, or they lead to themselves. */
export function fieldsOf(document: PdfDocument): PdfFields {
  const root = document.dictionary(document.revision.trailer.get('Root'))
  const form = document.dictionary(root?.get('AcroForm') ?? null)
  const fields: PdfField[] = []
  const byNumber = new Map<number, PdfField>()
  const numbers = new Set<number>()
  for (const one of elementsOf(document.resolve(form?.get('Fields') ?? null))) look(one, undefined, 0)
  return { fields, byNumber, numbers }

  function look(value: PdfValue, above: PdfField | undefined, depth: number): void {
    const number = value instanceof PdfRef ? value.number : undefined
    if (depth > MAX_DEPTH || fields.length > MAX_FIELDS) throw notRead('tooManyFields')
    if (number !== undefined) {
      if (numbers.has(number)) throw notRead('fieldDoubled', { object: number })
      numbers.add(number)
    }
    const dictionary = document.resolve(value)
    if (!(dictionary instanceof PdfDictionary)) return
    const field = fieldIn(dictionary, number, above)
    const kids = elementsOf(document.resolve(dictionary.get('Kids')))
    const below = kids.filter((kid) => document.dictionary(kid)?.get('T') !== null)
    // Kids without a name are places of the field on pages.
    for (const kid of kids) if (kid instanceof PdfRef && !below.includes(kid)) numbers.add(kid.number)
    if (below.length === 0) fields.push(field)
    if (below.length === 0 && number !== undefined) byNumber.set(number, field)
    for (const kid of below) look(kid, field, depth + 1)
  }

  function fieldIn(dictionary: PdfDictionary, number: number | undefined, above: PdfField | undefined): PdfField {
    const partial = document.resolve(dictionary.get('T'))
    const own = partial instanceof PdfString ? partial.text : ''
    const name = [above?.name, own].filter(Boolean).join('.')
    const type = nameText(document.resolve(dictionary.get('FT'))) ?? above?.type
    const value = dictionary.get('V') === null ? (above?.value ?? null) : dictionary.get('V')
    return { name, type, number, dictionary, value }
  }
}
