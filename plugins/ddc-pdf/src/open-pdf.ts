import { PDFDocument } from 'pdf-lib'

/** Why a PDF is refused, by the name that `CardError` knows; crosses threads as data. */
export class PdfFault extends Error {
  override readonly name = 'PdfFault'

  constructor(
    readonly fault:
      | 'notPdf'
      | 'encrypted'
      | 'broken'
      | 'tooManyPages'
      | 'tooManyAttachments'
      | 'noAttachments'
      | 'tooLarge',
    problem: string = fault,
  ) {
    super(problem)
  }
}

/** Readers look for the header in the first 1024 octets (ISO 32000-1, annex H.3.4.1). */
const HEADER_WITHIN = 1024

/** Opens a PDF strictly: what readers would have to mend is refused, so that everybody sees the same pages. */
export async function openPdf(bytes: Uint8Array, maxPages: number): Promise<PDFDocument> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN))
  if (!start.includes('%PDF-')) throw new PdfFault('notPdf')
  let pdf: PDFDocument
  let pages: number
  try {
    pdf = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true })
    pages = pdf.getPageCount()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    // The library's error classes are of before ES2015: `instanceof` does not know them.
    throw new PdfFault(problem.includes('is encrypted') ? 'encrypted' : 'broken', problem)
  }
  if (pages > maxPages) throw new PdfFault('tooManyPages')
  return pdf
}
