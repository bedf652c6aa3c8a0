import { type Body, type PdfUpdate, updated } from './write-pdf.js'

/** Makes the CMS over octets. */
export type Sign = (octets: Buffer) => Buffer

/** How a PDF is signed. */
export interface PdfSigning extends Pick<PdfUpdate, 'form' | 'packed' | 'root' | 'trailer' | 'end'> {
  readonly sign: Sign
  /** Name of the field. */
  readonly name?: string
  readonly subFilter?: string
  /** The number of the signature dictionary; its field is the next one. */
  readonly number: number
  /** Objects that the update changes besides: catalog, form, page. */
  readonly objects?: Readonly<Record<number, Body>>
  /** The field; the default is an invisible one on page 3. */
  readonly field?: string | null
  /** More entries of the signature dictionary. */
  readonly more?: string
  /** Octets for the CMS. */
  readonly room?: number
  /** Changes the hexadecimal `Contents`. */
  readonly contents?: (hex: string) => string
  readonly type?: string
}

const RANGE = '/ByteRange[0 0000000000 0000000000 0000000000]'

/** A PDF with a signature in an incremental update, and the field for it (ISO 32000-2, 12.8). */
export function signedPdf(before: Buffer, signing: PdfSigning): Buffer {
  const {
    sign,
    name = `Signature${signing.number}`,
    subFilter = 'ETSI.CAdES.detached',
    number,
    more = '',
    room = 12_000,
  } = signing
  const { objects = {}, type = 'Sig', contents = (hex: string) => hex, form, packed, root, trailer, end } = signing
  const field = signing.field === undefined ? invisibleField(name, number) : signing.field
  const empty = '0'.repeat(room * 2)
  const dictionary = `<</Type/${type}/Filter/Adobe.PPKLite/SubFilter/${subFilter}${more}${RANGE}/Contents<${empty}>>>`
  const made = updated(before, {
    objects: { ...objects, [number]: dictionary, ...(field !== null && { [number + 1]: field }) },
    ...(form && { form }),
    ...(packed && { packed }),
    ...(root !== undefined && { root }),
    ...(trailer && { trailer }),
    ...(end !== undefined && { end }),
  })
  const from = made.indexOf(`/Contents<${empty}`, before.length) + '/Contents'.length
  const to = from + empty.length + 2
  const numbers = [from, to, made.length - to].map((one) => `${one}`.padStart(10, '0'))
  const at = made.indexOf(RANGE, before.length)
  made.write(`/ByteRange[0 ${numbers.join(' ')}]`, at, 'latin1')
  const cms = sign(Buffer.concat([made.subarray(0, from), made.subarray(to)]))
  made.write(contents(cms.toString('hex').padEnd(empty.length, '0')), from + 1, 'latin1')
  return made
}

/** A field that is on page 3 and not seen. */
export const invisibleField = (name: string, number: number): string =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(${name})/V ${number} 0 R/Rect[0 0 0 0]/P 3 0 R/F 132>>`

/** A field with a mark on page 3. */
export const visibleField = (name: string, number: number, box = '72 72 272 122', appearance = ''): string =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(${name})/V ${number} 0 R/Rect[${box}]/P 3 0 R/F 132${appearance}>>`

/** What the first signature changes of a contract: its form, and what is on its page. */
export const withFields = (...fields: readonly number[]): Record<number, string> => {
  const all = fields.map((number) => `${number} 0 R`).join(' ')
  return {
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${all}]/SigFlags 3>>>>`,
    3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[${all}]>>`,
  }
}
