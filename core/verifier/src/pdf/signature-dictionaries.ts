import { fieldsOf } from './fields.js'
import type { PdfDocument } from './pdf-document.js'
import { nameText, PdfDictionary, PdfRef } from './values.js'

/** A signature dictionary (ISO 32000-2, 12.8.1), under the name of its field. */
export interface SignatureDictionary {
  readonly name: string
  /** The number of its object; `undefined` where it stands in its field itself. */
  readonly number: number | undefined
  readonly dictionary: PdfDictionary
}

/** Signature fields with a value, and what stands in their place and is no dictionary. */
export interface FoundDictionaries {
  readonly signatures: readonly SignatureDictionary[]
  readonly broken: readonly {
    readonly name: string
    readonly reason: 'noDictionary' | 'fieldDoubled' | 'valueDoubled'
  }[]
}

/** The signature dictionaries of a document: of its fields, and of its permissions (12.8.6). */
export function signatureDictionaries(document: PdfDocument): FoundDictionaries {
  const signatures: SignatureDictionary[] = []
  const broken: FoundDictionaries['broken'][number][] = []
  const names = new Set<string>()
  const numbers = new Set<number>()
  for (const { name, type, value } of fieldsOf(document).fields) {
    if (type !== 'Sig' || value === null) continue
    if (names.has(name)) broken.push({ name, reason: 'fieldDoubled' })
    names.add(name)
    take(name, value)
  }
  const root = document.dictionary(document.revision.trailer.get('Root'))
  const permissions = document.dictionary(root?.get('Perms') ?? null)
  for (const kind of ['DocMDP', 'UR3', 'UR']) {
    const value = permissions?.get(kind) ?? null
    // A certification is the signature of a field as well.
    if (value !== null && !(value instanceof PdfRef && numbers.has(value.number))) take(kind, value)
  }
  return { signatures, broken }

  function take(name: string, value: NonNullable<Parameters<PdfDocument['resolve']>[0]>): void {
    const number = value instanceof PdfRef ? value.number : undefined
    const dictionary = document.resolve(value)
    if (number !== undefined && numbers.has(number)) broken.push({ name, reason: 'valueDoubled' })
    else if (dictionary instanceof PdfDictionary) signatures.push({ name, number, dictionary })
    else broken.push({ name, reason: 'noDictionary' })
    if (number !== undefined) numbers.add(number)
  }
}

/** Whether a dictionary may be a signature, whoever refers to it. */
export const looksLikeSignature = (value: unknown): boolean =>
  value instanceof PdfDictionary &&
  value.get('ByteRange') !== null &&
  value.get('Contents') !== null &&
  ['Sig', 'DocTimeStamp', undefined].includes(nameText(value.get('Type')))
