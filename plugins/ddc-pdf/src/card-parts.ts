import type { PDFDocument } from 'pdf-lib'
import { type Parts, writeInformation } from './information-page.js'
import type { DrawnCard } from './job.js'
import { withPdfFaults } from './open-pdf.js'
import { writeOriginal } from './original-pages.js'
import type { Bookmark } from './outline.js'
import { plain } from './said.js'
import type { Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import { writeSignature } from './signature-pages.js'
import { writeSigners } from './signers-page.js'

/** Writes the parts of a card: information, signers, pages of the original, signatures. Returns their bookmarks. */
export async function writeParts(
  sheets: Sheets,
  card: DrawnCard,
  original: PDFDocument | undefined,
): Promise<readonly Bookmark[]> {
  const { information, signers, pages } = card
  const signatures = card.signatures.flatMap(({ page }) => page ?? [])
  const files = [card.original, ...card.signatures.map(({ file }) => file)]
  const parts = { signers: signers !== undefined, original: pages !== undefined, signatures: signatures.length > 0 }
  const { first, end, number } = writeInformation(sheets, information, files, parts)
  const bookmark = (part: keyof Parts, sheet: Sheet, more: Partial<Bookmark> = {}): Bookmark => {
    number(part, sheets.pages.indexOf(sheet) + 1)
    return { title: plain(information.contents[part]), page: sheet.page, ...more }
  }
  const bookmarks: Bookmark[] = [{ title: plain(information.contents.information), page: first.page }]
  if (signers !== undefined) {
    const { sheet, y } = writeSigners(sheets, signers, end)
    bookmarks.push(bookmark('signers', sheet, { y }))
  }
  if (original !== undefined && pages !== undefined) {
    const [shown] = await withPdfFaults(() => writeOriginal(sheets, original, pages))
    if (shown !== undefined) bookmarks.push(bookmark('original', shown))
  }
  const inside = signatures.map((page) => ({ title: page.bookmark, sheet: writeSignature(sheets, page) }))
  const [one] = inside
  if (one !== undefined) {
    const each = inside.map(({ title, sheet }) => ({ title, page: sheet.page }))
    bookmarks.push(bookmark('signatures', one.sheet, { inside: each }))
  }
  return bookmarks
}
