import { ParseSpeeds, PDFContext, PDFDocument } from 'pdf-lib'

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

let left = Number.POSITIVE_INFINITY

/**
 * Reads a PDF, of which no more than so many objects are read: a million empty ones lie in some megabytes, and cost ten
 * seconds and a gigabyte. `tooMany` answers whether there were more; pdf-lib turns what is thrown inside of it into errors of its own.
 */
async function readingObjects<T>(most: number, read: () => Promise<T>, tooMany: () => Error): Promise<T> {
  left = most
  try {
    return await read()
  } catch (error) {
    throw left < 0 ? tooMany() : error
  } finally {
    left = Number.POSITIVE_INFINITY
  }
}

/** Every object that pdf-lib reads goes into its context by this one method, also those of object streams. */
function countObjects(): void {
  const { assign } = PDFContext.prototype
  PDFContext.prototype.assign = function (ref, object) {
    left -= 1
    if (left < 0) throw new RangeError('The PDF has too many objects')
    assign.call(this, ref, object)
  }
}
countObjects()
