import { deflateSync } from 'node:zlib'
import { PDFContentStream, type PDFDocument } from 'pdf-lib'

const LEVEL = 3

/** Lets Node compress what pdf-lib would compress in JavaScript, at many times the cost: streams that are made from now on. */
export function compressNatively({ context }: PDFDocument): void {
  context.flateStream = (contents, dict = {}) => {
    const bytes = typeof contents === 'string' ? Buffer.from(contents, 'latin1') : contents
    return context.stream(deflateSync(bytes, { level: LEVEL }), { ...dict, Filter: 'FlateDecode' })
  }
}

/** The same for the drawings of pages, once they are complete. */
export function compressContents({ context }: PDFDocument): void {
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFContentStream) context.assign(ref, context.flateStream(object.getUnencodedContents()))
  }
}
