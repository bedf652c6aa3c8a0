import { degrees, grayscale, type PDFDocument, type PDFEmbeddedPage, type PDFPage } from 'pdf-lib'
import { drawAnnotations } from './annotations.js'
import { widthOf } from './fonts.js'
import type { PagesOfOriginal } from './job.js'
import { plain } from './said.js'
import { MM, type Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import type { Tag } from './structure.js'

/** Opacity of the watermark over text that must stay readable. */
const WATERMARK_OPACITY = 0.25

/** Shows every page of the original as readers show it, scaled down, framed and watermarked as a copy. Returns the pages. */
export async function writeOriginal(sheets: Sheets, original: PDFDocument, words: PagesOfOriginal): Promise<Sheet[]> {
  const pages = original.getPages()
  for (const page of pages) drawAnnotations(original, page)
  const embedded = await sheets.pdf.embedPages(
    pages,
    pages.map((page) => boxOf(page)),
  )
  const section = sheets.structure.add('Sect')
  const heading = section.add('H1')
  return embedded.flatMap((one, n) => {
    const page = pages[n]
    if (page === undefined) return []
    const alt = words.pageOf.replace('{}', String(n + 1)).replace('{}', String(pages.length))
    const figure = section.add('Figure', { alt: `${plain(words.heading)}: ${alt}` })
    return writePage(sheets, one, turnOf(page), words, { figure, heading: n === 0 ? heading : undefined })
  })
}

/** The visible part of a page: its crop box clipped to its media box (ISO 32000-1, 14.11.2). */
function boxOf(page: PDFPage) {
  const [crop, media] = [page.getCropBox(), page.getMediaBox()]
  const left = Math.max(crop.x, media.x)
  const bottom = Math.max(crop.y, media.y)
  const right = Math.min(crop.x + crop.width, media.x + media.width)
  const top = Math.min(crop.y + crop.height, media.y + media.height)
  const isEmpty = right <= left || top <= bottom
  return isEmpty
    ? { left: media.x, bottom: media.y, right: media.x + media.width, top: media.y + media.height }
    : { left, bottom, right, top }
}

/** The page's rotation in quarter turns clockwise. */
const turnOf = (page: PDFPage) => (((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3

function writePage(
  sheets: Sheets,
  page: PDFEmbeddedPage,
  turn: 0 | 1 | 2 | 3,
  { heading, watermark }: PagesOfOriginal,
  tags: { readonly figure: Tag; readonly heading: Tag | undefined },
): Sheet {
  const isLying = turn % 2 === 1
  const [width, height] = isLying ? [page.height, page.width] : [page.width, page.height]
  const sheet = sheets.add(heading, { landscape: width > height, tag: tags.heading })
  const room = { width: sheet.width, height: sheet.top + 3 * MM - sheet.bottom }
  const scale = Math.min(room.width / width, room.height / height)
  const [shownWidth, shownHeight] = [width * scale, height * scale]
  const x = sheet.left + (room.width - shownWidth) / 2
  const y = sheet.bottom + (room.height - shownHeight) / 2
  // A clockwise rotation about the lower left corner moves the page out of its frame; this moves it back.
  const moved = [
    { x, y },
    { x, y: y + shownHeight },
    { x: x + shownWidth, y: y + shownHeight },
    { x: x + shownWidth, y },
  ][turn] ?? { x, y }
  sheet.as(tags.figure, () =>
    sheet.page.drawPage(page, {
      ...moved,
      width: page.width * scale,
      height: page.height * scale,
      rotate: degrees(-90 * turn),
    }),
  )
  const border = { borderWidth: 0.5, borderColor: grayscale(0.6) }
  const box = { x, y, width: shownWidth, height: shownHeight }
  sheet.as(undefined, () => {
    sheet.page.drawRectangle({ ...box, ...border })
    mark(sheet, watermark, box)
  })
  return sheet
}

/** Writes a diagonal watermark. */
function mark(sheet: Sheet, text: string, box: { x: number; y: number; width: number; height: number }): void {
  const font = sheet.fonts.regular
  const diagonal = Math.hypot(box.width, box.height)
  const angle = Math.atan2(box.height, box.width)
  const size = Math.min(48, (diagonal * 0.8) / widthOf(text, { font, size: 1 }))
  const length = widthOf(text, { font, size })
  sheet.page.drawText(text, {
    x: box.x + box.width / 2 - (length / 2) * Math.cos(angle) + (size / 3) * Math.sin(angle),
    y: box.y + box.height / 2 - (length / 2) * Math.sin(angle) - (size / 3) * Math.cos(angle),
    size,
    font,
    color: grayscale(0.5),
    opacity: WATERMARK_OPACITY,
    rotate: degrees((angle * 180) / Math.PI),
  })
}
