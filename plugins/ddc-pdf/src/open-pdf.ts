import { ParseSpeeds, PDFDocument } from 'pdf-lib'
import { readingObjects } from './counted-objects.js'

/** Why a PDF is refused, by the name that `CardError` knows; crosses processes as data. */
export class PdfFault extends Error {
  override readonly name = 'PdfFault'

  constructor(
    readonly fault:
      | 'notPdf'
      | 'encrypted'
      | 'broken'
      | 'tooManyPages'
      | 'tooManyObjects'
      | 'tooManyAttachments'
      | 'noAttachments'
      | 'tooLarge',
    problem: string = fault,
  ) {
    super(problem)
  }
}

/** How much of a PDF is read. */
export interface PdfBounds {
  readonly maxPages: number
  readonly maxObjects: number
  /** Octets that its streams unpack to. */
  readonly maxUnpacked: number
}

/** Readers look for the header in the first 1024 octets (ISO 32000-1, annex H.3.4.1). */
const MAX_HEADER_OFFSET = 1024

/** Opens a PDF strictly: what readers would have to mend is refused, so that everybody sees the same pages. */
export async function openPdf(
  bytes: Uint8Array,
  { maxPages, maxObjects }: Omit<PdfBounds, 'maxUnpacked'>,
): Promise<PDFDocument> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_HEADER_OFFSET))
  if (!start.includes('%PDF-')) throw new PdfFault('notPdf')
  const options = { updateMetadata: false, throwOnInvalidObject: true, parseSpeed: ParseSpeeds.Fastest }
  const { pdf, pages } = await ofThePdf(async () => {
    const tooMany = () => new PdfFault('tooManyObjects')
    const read = await readingObjects(maxObjects, () => PDFDocument.load(bytes, options), tooMany)
    return { pdf: read, pages: read.getPageCount() }
  })
  if (pages > maxPages) throw new PdfFault('tooManyPages')
  return pdf
}

/** Does something that fails only where the PDF is at fault. */
export async function ofThePdf<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PdfFault) throw error
    const problem = error instanceof Error ? error.message : String(error)
    // The library's error classes are of before ES2015: `instanceof` does not know them.
    throw new PdfFault(problem.includes('is encrypted') ? 'encrypted' : 'broken', problem)
  }
}
