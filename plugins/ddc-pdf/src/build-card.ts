import { deflateSync } from 'node:zlib'
import { PDFContentStream, PDFDocument } from 'pdf-lib'
import { attach } from './attachments.js'
import { writeParts } from './card-parts.js'
import { embedFonts } from './fonts.js'
import { FrameImages } from './frame-images.js'
import type { DrawnCard } from './job.js'
import { describe } from './metadata.js'
import { openPdf, type PdfBounds, withPdfFaults } from './open-pdf.js'
import { writeOutline } from './outline.js'
import { writeRecipe } from './recipe.js'
import { Sheets } from './sheets.js'
import { writeStructure } from './structure.js'

/** This process does nothing else, so pdf-lib need not yield to the event loop. */
export const AT_ONCE = {
  addDefaultPage: false,
  updateFieldAppearances: false,
  objectsPerTick: Number.POSITIVE_INFINITY,
}

/** Draws a card (docs/cards.md) as a tagged PDF with bookmarks; files are attached in the given order. */
export async function buildCard(card: DrawnCard, bounds: PdfBounds): Promise<Uint8Array> {
  const original = card.pages && (await openPdf(card.original.bytes, bounds))
  const pdf = await PDFDocument.create({ updateMetadata: false })
  compressNatively(pdf)
  const sheets = new Sheets(pdf, await embedFonts(pdf), await FrameImages.of(pdf, card.frame))
  const bookmarks = await writeParts(sheets, card, original)
  sheets.number(card.frame)
  writeStructure(pdf, sheets.structure, sheets.pages)
  writeOutline(pdf, bookmarks)
  const at = new Date(card.builtAt)
  attach(pdf, [card.original, ...card.signatures.map(({ file }) => file)], at)
  describe(pdf, card, at)
  writeRecipe(pdf, card.recipe, at)
  // Embedded pages are copied by `flush`, which is where a broken original shows up.
  await (original === undefined ? pdf.flush() : withPdfFaults(() => pdf.flush()))
  compressContents(pdf)
  return pdf.save(AT_ONCE)
}

const LEVEL = 3

/** Compresses new streams with Node's zlib; pdf-lib's own deflate in JavaScript is many times slower. */
function compressNatively({ context }: PDFDocument): void {
  context.flateStream = (contents, dict = {}) => {
    const bytes = typeof contents === 'string' ? Buffer.from(contents, 'latin1') : contents
    return context.stream(deflateSync(bytes, { level: LEVEL }), { ...dict, Filter: 'FlateDecode' })
  }
}

/** Compresses the content streams of pages, once they are complete. */
function compressContents({ context }: PDFDocument): void {
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFContentStream) context.assign(ref, context.flateStream(object.getUnencodedContents()))
  }
}
