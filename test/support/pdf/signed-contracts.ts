import type { Subject } from '@signed-registry/dev-authorities'
import { contract, pageContent } from './contract.js'
import { type PdfSigning, type Sign, signedPdf, visibleField, withFields } from './sign-pdf.js'
import { type CrossReferenceForm, updated } from './write-pdf.js'

/** A CMS with its time stamp and status. */
export const signedBy =
  (signer: Subject): Sign =>
  (octets) =>
    signer.signCms(octets, { timeStamp: true, ocsp: true })

/** A contract that one person signed. */
export const signedOnce = (sign: Sign, more: Partial<PdfSigning> = {}, form: CrossReferenceForm = 'table'): Buffer =>
  signedPdf(contract({ form }), { sign, number: 10, objects: withFields(11), form, ...more })

/** A contract that two people signed, one after the other, each with a mark on its page. */
export function signedTwice(first: Sign, second: Sign, form: CrossReferenceForm = 'table'): Buffer {
  const once = signedOnce(first, { field: visibleField('Seller', 10) }, form)
  const field = visibleField('Buyer', 20, '300 72 500 122')
  return signedPdf(once, { sign: second, number: 20, objects: withFields(11, 21), field, form })
}

/** A contract with a field that was made for a signature, which is in it. */
export function signedInItsField(sign: Sign, box = '72 72 272 122'): Buffer {
  const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(Here)/Rect[${box}]/P 3 0 R/F 4>>`
  const { 1: catalog = '', 3: page = '' } = withFields(11, 21)
  const prepared = updated(contract(), {
    objects: { 1: catalog, 3: page, 11: field, 21: field.replace('Here', 'There').replace(box, '300 72 500 122') },
  })
  const once = signedPdf(prepared, {
    sign,
    number: 10,
    field: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Here)/V 10 0 R/Rect[${box}]/P 3 0 R/F 4>>`,
  })
  return signedPdf(once, {
    sign,
    number: 20,
    field: `<</Type/Annot/Subtype/Widget/FT/Sig/T(There)/V 20 0 R/AP<</N 30 0 R>>/Rect[300 72 500 122]/P 3 0 R/F 4>>`,
    objects: { 30: pageContent('Signed') },
  })
}

/** A contract whose certification leaves others what `level` says (DocMDP). */
export function certified(sign: Sign, level: 1 | 2 | 3, more: Partial<PdfSigning> = {}): Buffer {
  const { 1: catalog = '', ...rest } = withFields(11)
  return signedOnce(sign, {
    objects: { ...rest, 1: catalog.replace(/>>$/, '/Perms<</DocMDP 10 0 R>>>>') },
    more: `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>]`,
    ...more,
  })
}
