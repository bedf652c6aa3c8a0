import { ParseSpeeds, PDFContext, PDFDocument } from 'pdf-lib'

/** Why a PDF is refused, by a name of `CardFault`, which can be sent between processes. */
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

/** Limits for reading a PDF. */
export interface PdfBounds {
  readonly maxPages: number
  readonly maxObjects: number
  /** Total octets of its decoded streams. */
  readonly maxUnpacked: number
}

/** Readers accept the header anywhere within the first 1024 octets (ISO 32000-1, annex H.3.4.1). */
const MAX_HEADER_OFFSET = 1024

/** Opens a PDF strictly: one that readers would have to repair is refused, so that all of them show the same pages. */
export async function openPdf(
  bytes: Uint8Array,
  { maxPages, maxObjects }: Omit<PdfBounds, 'maxUnpacked'>,
): Promise<PDFDocument> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_HEADER_OFFSET))
  if (!start.includes('%PDF-')) throw new PdfFault('notPdf')
  const options = { updateMetadata: false, throwOnInvalidObject: true, parseSpeed: ParseSpeeds.Fastest }
  const { pdf, pages } = await withPdfFaults(async () => {
    const tooMany = () => new PdfFault('tooManyObjects')
    const read = await withObjectLimit(maxObjects, () => PDFDocument.load(bytes, options), tooMany)
    return { pdf: read, pages: read.getPageCount() }
  })
  if (pages > maxPages) throw new PdfFault('tooManyPages')
  return pdf
}

/** Runs work in which any error means that the PDF is at fault. */
export async function withPdfFaults<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PdfFault) throw error
    const problem = error instanceof Error ? error.message : String(error)
    // pdf-lib is compiled to ES5, where `instanceof` does not work for subclasses of Error.
    throw new PdfFault(problem.includes('is encrypted') ? 'encrypted' : 'broken', problem)
  }
}

let left = Number.POSITIVE_INFINITY

/**
 * Reads a PDF and stops after `maxObjects` objects: a million empty ones fit into a few megabytes and cost ten seconds and a
 * gigabyte. Throws `tooMany()`, since pdf-lib replaces errors thrown inside it by its own.
 */
async function withObjectLimit<T>(maxObjects: number, read: () => Promise<T>, tooMany: () => Error): Promise<T> {
  left = maxObjects
  try {
    return await read()
  } catch (error) {
    throw left < 0 ? tooMany() : error
  } finally {
    left = Number.POSITIVE_INFINITY
  }
}

/** pdf-lib adds every object it reads to its context by this method, those in object streams included. */
function countObjects(): void {
  const { assign } = PDFContext.prototype
  PDFContext.prototype.assign = function (ref, object) {
    left -= 1
    if (left < 0) throw new RangeError('The PDF has too many objects')
    assign.call(this, ref, object)
  }
}
countObjects()
