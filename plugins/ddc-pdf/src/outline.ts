import { type PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFPage, type PDFRef } from 'pdf-lib'

/** A bookmark (ISO 32000-1, 12.3.3). */
export interface Bookmark {
  readonly title: string
  readonly page: PDFPage
  /** Distance from the lower edge that is shown uppermost; the top of the page where absent. */
  readonly y?: number
  readonly inside?: readonly Bookmark[]
}

/** Writes the bookmarks of a PDF. */
export function writeOutline(pdf: PDFDocument, bookmarks: readonly Bookmark[]): void {
  const root = pdf.context.nextRef()
  const outline = pdf.context.obj({ Type: 'Outlines' })
  writeInside(pdf, root, outline, bookmarks)
  pdf.context.assign(root, outline)
  pdf.catalog.set(PDFName.of('Outlines'), root)
}

/** Writes bookmarks as the children of a dictionary. */
function writeInside(pdf: PDFDocument, parent: PDFRef, holder: PDFDict, bookmarks: readonly Bookmark[]): void {
  const { context } = pdf
  const refs = bookmarks.map(() => context.nextRef())
  for (const [n, { title, page, y, inside = [] }] of bookmarks.entries()) {
    const ref = refs[n]
    if (ref === undefined) continue
    const [before, after] = [refs[n - 1], refs[n + 1]]
    const item = context.obj({
      Title: PDFHexString.fromText(title),
      Parent: parent,
      Dest: [page.ref, 'XYZ', 0, y ?? page.getHeight(), 0],
      ...(before && { Prev: before }),
      ...(after && { Next: after }),
    })
    if (inside.length > 0) writeInside(pdf, ref, item, inside)
    context.assign(ref, item)
  }
  const [first, last] = [refs[0], refs.at(-1)]
  if (first === undefined || last === undefined) return
  holder.set(PDFName.of('First'), first)
  holder.set(PDFName.of('Last'), last)
  // Closed, but for the first level.
  holder.set(PDFName.of('Count'), context.obj(holder.has(PDFName.of('Type')) ? refs.length : -refs.length))
}
