import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib'
import { colourPng } from '#core/png/index.js'

const A4: [width: number, height: number] = [595.28, 841.89]
const MARGIN = 56
const LINES = 24
const LINE =
  'The supplier delivers the goods of the annex within thirty days, and the customer pays within ten of the delivery.'
const [ROWS, COLUMNS, ROW_HEIGHT, COLUMN_WIDTH] = [8, 5, 18, 96]
const [PICTURE_WIDTH, PICTURE_HEIGHT] = [480, 200]

/** Pages as an office program writes them: A4, text in two fonts, a table with its lines, and a picture on each. */
export async function officePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const text = await pdf.embedFont(StandardFonts.TimesRoman)
  const bold = await pdf.embedFont(StandardFonts.TimesRomanBold)
  const picture = await pdf.embedPng(shades())
  for (let number = 1; number <= pages; number += 1) {
    const page = pdf.addPage(A4)
    page.drawText(`Contract, page ${number}`, { x: MARGIN, y: A4[1] - MARGIN, font: bold, size: 16 })
    for (let line = 0; line < LINES; line += 1) {
      page.drawText(LINE, { x: MARGIN, y: A4[1] - MARGIN - 26 - line * 13, font: text, size: 9.5 })
    }
    drawTable(page, text, number)
    page.drawImage(picture, { x: MARGIN, y: MARGIN, width: PICTURE_WIDTH, height: PICTURE_HEIGHT })
  }
  return pdf.save()
}

function drawTable(page: PDFPage, font: PDFFont, number: number): void {
  const top = 440
  for (let row = 0; row <= ROWS; row += 1) {
    const y = top - row * ROW_HEIGHT
    page.drawLine({ start: { x: MARGIN, y }, end: { x: MARGIN + COLUMNS * COLUMN_WIDTH, y }, thickness: 0.5 })
    if (row === ROWS) break
    for (let column = 0; column < COLUMNS; column += 1) {
      const said = `${number}.${row + 1}.${column + 1}: 12 500`
      page.drawText(said, { x: MARGIN + column * COLUMN_WIDTH + 4, y: y - 13, font, size: 9 })
    }
  }
  for (let column = 0; column <= COLUMNS; column += 1) {
    const x = MARGIN + column * COLUMN_WIDTH
    page.drawLine({ start: { x, y: top }, end: { x, y: top - ROWS * ROW_HEIGHT }, thickness: 0.5 })
  }
}

/** A picture in colours that change everywhere. */
function shades(): Uint8Array {
  const pixels = new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = ((at % 1440) * ((at / 1440) | 0)) >> 8
  return colourPng({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, pixels })
}
