import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDFContentStream, PDFDocument, PDFHexString, PDFName } from 'pdf-lib'
import { attach } from './attachments.js'
import { writeInformation } from './information-page.js'
import type { DrawnCard } from './job.js'
import { openPdf, type PdfBounds, withPdfFaults } from './open-pdf.js'
import { writeOriginal } from './original-pages.js'
import { writeRecipe } from './recipe.js'
import { embedFonts, FrameImages, Sheets } from './sheet.js'
import { writeSignature } from './signature-pages.js'

/** This process does nothing else, so pdf-lib need not yield to the event loop. */
export const AT_ONCE = {
  addDefaultPage: false,
  updateFieldAppearances: false,
  objectsPerTick: Number.POSITIVE_INFINITY,
}

/** Draws a card (docs/cards.md): information, pages of the original, signatures; files are attached in the given order. */
export async function buildCard(card: DrawnCard, bounds: PdfBounds): Promise<Uint8Array> {
  const original = card.pages && (await openPdf(card.original.bytes, bounds))
  const shown = card.signatures.flatMap(({ page }) => page ?? [])
  const pdf = await PDFDocument.create({ updateMetadata: false })
  compressNatively(pdf)
  const sheets = new Sheets(pdf, await embedFonts(pdf), await FrameImages.of(pdf, card.frame))
  const parts = { original: original !== undefined, signatures: shown.length > 0 }
  const numberContents = writeInformation(sheets, card.information, filesOf(card), parts)
  numberContents('original', sheets.pages.length + 1)
  const { pages } = card
  if (original !== undefined && pages !== undefined) await withPdfFaults(() => writeOriginal(sheets, original, pages))
  numberContents('signatures', sheets.pages.length + 1)
  for (const page of shown) writeSignature(sheets, page)
  sheets.number(card.frame)
  const at = new Date(card.builtAt)
  attach(pdf, filesOf(card), at)
  describe(pdf, card, at)
  writeRecipe(pdf, card.recipe, at)
  // Embedded pages are copied by `flush`, which is where a broken original shows up.
  await (original === undefined ? pdf.flush() : withPdfFaults(() => pdf.flush()))
  compressContents(pdf)
  return pdf.save(AT_ONCE)
}

const filesOf = (card: DrawnCard) => [card.original, ...card.signatures.map(({ file }) => file)]

/** Writes the document information and XMP metadata. */
function describe(pdf: PDFDocument, card: DrawnCard, at: Date): void {
  const { title } = card.information
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setSubject(card.information.heading)
  pdf.setProducer('Signed Document Registry')
  pdf.setCreator('Signed Document Registry')
  pdf.setCreationDate(at)
  pdf.setModificationDate(at)
  pdf.setLanguage(card.language)
  pdf.catalog.set(PDFName.of('PageMode'), PDFName.of('UseAttachments'))
  const moment = at.toISOString()
  const metadata = pdf.context.stream(xmp(title, moment), { Type: 'Metadata', Subtype: 'XML' })
  pdf.catalog.set(PDFName.of('Metadata'), pdf.context.register(metadata))
  const hash = createHash('sha256').update(card.original.bytes).update(moment)
  for (const { file } of card.signatures) hash.update(file.bytes)
  const id = PDFHexString.of(hash.digest('hex').slice(0, 32))
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id])
}

const xmp = (title: string, moment: string) =>
  Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>${moment}</xmp:CreateDate><xmp:ModifyDate>${moment}</xmp:ModifyDate>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`)

/** Escaped text for XML 1.0, without the characters that XML forbids. */
const escaped = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)

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
