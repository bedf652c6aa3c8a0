import type { Change } from '../signed-file.js'
import type { PdfDocument } from './pdf-document.js'
import { elementsOf, nameText, type PdfDictionary } from './values.js'

type Kind = Change['kind']

const ALWAYS: readonly Kind[] = ['evidence', 'documentTimeStamp', 'metadata']
const FORMS: readonly Kind[] = [...ALWAYS, 'signature', 'signatureField', 'formField']
/** What may be done to a certified document, by `P` of its DocMDP (ISO 32000-2, table 257). */
const ALLOWED: Readonly<Record<number, readonly Kind[]>> = { 1: ALWAYS, 2: FORMS, 3: [...FORMS, 'annotation'] }

/** Which changes a certifying signature leaves to others: all of them where the signature certifies nothing. */
export function allowedBy(document: PdfDocument, signature: PdfDictionary): readonly Kind[] | undefined {
  for (const value of elementsOf(document.resolve(signature.get('Reference')))) {
    const reference = document.dictionary(value)
    if (nameText(document.resolve(reference?.get('TransformMethod') ?? null)) !== 'DocMDP') continue
    const parameters = document.dictionary(reference?.get('TransformParams') ?? null)
    const level = document.resolve(parameters?.get('P') ?? null)
    return ALLOWED[level === null ? 2 : Number(level)] ?? ALWAYS
  }
  return undefined
}
