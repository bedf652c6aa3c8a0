import { type PdfUpdate, stream, updated } from './write-pdf.js'

/** Numbers of the objects of a contract. */
export const CONTRACT = { root: 1, pages: 2, page: 3, content: 4, font: 5, info: 6 } as const

const drawn = (text: string): Buffer => Buffer.from(`BT /F 18 Tf 72 700 Td (${text}) Tj ET`)

/** What a page shows. */
export const pageContent = (text: string): Buffer => stream('', drawn(text))

export const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'

/** A PDF with one page. */
export function contract(
  update: Partial<PdfUpdate> & { readonly catalog?: string; readonly page?: string } = {},
): Buffer {
  const { catalog = '', page = '', objects, ...rest } = update
  return updated(Buffer.alloc(0), {
    objects: {
      1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>',
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>${page}>>`,
      4: pageContent('The buyer pays 100'),
      5: FONT,
      6: '<</Title(Contract)/Producer(tests)>>',
      ...objects,
    },
    trailer: '/Info 6 0 R/ID[<00><00>]',
    ...rest,
  })
}
