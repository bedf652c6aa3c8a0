import { qrBitmap } from '@signed-registry/core/qr'
import { grayscale } from 'pdf-lib'
import type { CodesOfSignature, SignaturePage } from './job.js'
import { drawBitmap, embedBitmap, linesOf, MM, type Sheet, type Sheets } from './sheet.js'
import { splitSignature } from './split-signature.js'

const CODES_IN_ROW = 4
/** Side of a QR code, quiet zone included. */
const CODE = 42 * MM
const BOXES = 62 * MM
const GAP = 4 * MM

/** Draws a signature on its own page: signer, time, certificate and the QR codes that contain the signature. */
export function writeSignature(sheets: Sheets, page: SignaturePage): void {
  const sheet = sheets.add(page.heading)
  const top = sheet.y
  const facts = writeFacts(sheet, page)
  sheet.y = top
  const boxes = writeBoxes(sheet, page)
  sheet.y = Math.min(facts, boxes) - 3 * MM
  if (page.codes !== undefined) drawCodes(sheet, page.heading, page.codes)
}

/** The left column. Returns its lower end. */
function writeFacts(sheet: Sheet, { title, facts }: SignaturePage): number {
  const { bold, regular } = sheet.sheets.fonts
  const width = sheet.width - BOXES - GAP
  const write = (text: string, style: { font: typeof bold; size: number; grey?: number }) => {
    for (const line of linesOf(text, style, width)) {
      sheet.y -= style.size * 1.3
      sheet.write(line, sheet.left, sheet.y, style)
    }
  }
  write(title, { font: bold, size: 12 })
  for (const { label, value } of facts) {
    sheet.y -= 2.2 * MM
    write(label, { font: regular, size: 8, grey: 0.35 })
    write(value, { font: bold, size: 9.5 })
  }
  return sheet.y
}

/** The boxes in the right column. Returns their lower end. */
function writeBoxes(sheet: Sheet, { boxes }: SignaturePage): number {
  const { bold, regular } = sheet.sheets.fonts
  const left = sheet.left + sheet.width - BOXES
  const size = 6.2
  for (const { title, facts } of boxes) {
    const top = sheet.y
    const text = [
      { text: title, font: bold },
      ...facts.map(({ label, value }) => ({ text: `${label}: ${value}`, font: regular })),
    ]
    for (const { text: one, font } of text) {
      for (const line of linesOf(one, { font, size }, BOXES - 3 * MM)) {
        sheet.y -= size * 1.22
        sheet.write(line, left + 1.5 * MM, sheet.y, { font, size })
      }
    }
    sheet.y -= 1.2 * MM
    sheet.page.drawRectangle({
      x: left,
      y: sheet.y,
      width: BOXES,
      height: top - sheet.y,
      borderWidth: 0.4,
      borderColor: grayscale(0.6),
    })
    sheet.y -= 1 * MM
  }
  return sheet.y
}

/** Draws QR codes row by row, continuing on the next page. */
function drawCodes(first: Sheet, heading: string, signature: CodesOfSignature): void {
  const { sheets } = first
  const gap = (first.width - CODES_IN_ROW * CODE) / (CODES_IN_ROW - 1)
  let sheet = first
  const { version, level } = signature
  splitSignature(signature, version, level).forEach((code, n) => {
    const column = n % CODES_IN_ROW
    if (column === 0) {
      if (!sheet.fits(CODE)) sheet = sheets.add(heading)
      sheet.y -= CODE
    }
    const image = embedBitmap(sheets.pdf, qrBitmap(code, level, version))
    drawBitmap(sheet.page, image, sheet.left + column * (CODE + gap), sheet.y, CODE)
  })
}
