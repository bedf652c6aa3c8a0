import { qrBitmap } from '@signed-registry/core/qr'
import { grayscale } from 'pdf-lib'
import { Column, Flow, lowest } from './flow.js'
import type { Style } from './fonts.js'
import { drawBitmap, embedBitmap } from './frame-images.js'
import type { CodesOfSignature, SignaturePage } from './job.js'
import { type Said, say } from './said.js'
import { MM, type Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import { splitSignature } from './split-signature.js'
import type { Tag } from './structure.js'

const CODES_IN_ROW = 3
/** Side of a QR code, quiet zone included: at 150 dpi a module of version 25 has 2.6 pixels, so that scans need not be straight. */
const CODE = 55 * MM
const BOXES = 62 * MM
const GAP = 4 * MM

/** Draws a signature on pages of its own: signer, time, certificate and the QR codes that contain the signature. Returns the first. */
export function writeSignature(sheets: Sheets, page: SignaturePage): Sheet {
  const section = sheets.structure.add('Sect')
  const first = sheets.add(page.heading)
  const flow = new Flow(sheets, page.heading, first)
  const facts = new Column(flow, 0, first.width - BOXES - GAP)
  writeFacts(facts, page, section)
  const boxes = new Column(flow, first.width - BOXES, BOXES)
  writeBoxes(boxes, page, section)
  const { at, y } = lowest([facts, boxes])
  const codes = new Column(flow, 0, first.width)
  codes.at = at
  codes.y = y - 3 * MM
  if (page.codes !== undefined) drawCodes(codes, page.codes, page.codesTitle, section)
  return first
}

/** The left column. */
function writeFacts(column: Column, { title, facts }: SignaturePage, section: Tag): void {
  const { bold, regular } = column.sheet.fonts
  column.write(title, { font: bold, size: 12 }, section.add('H1'))
  for (const { label, value } of facts) {
    column.space(2.2)
    const tag = section.add('P')
    column.write(label, { font: regular, size: 8, grey: 0.35 }, tag)
    column.write(value, { font: bold, size: 9.5 }, tag)
  }
}

/** The boxes in the right column; one that goes on is framed on each page. */
function writeBoxes(column: Column, { boxes }: SignaturePage, section: Tag): void {
  const { bold, regular } = column.sheet.fonts
  for (const { title, facts } of boxes) {
    const frame = new FrameOfBox(column)
    frame.write(title, bold, section.add('H2'))
    for (const { label, value } of facts) frame.write(say(label, ': ', value), regular, section.add('P'))
    frame.close()
    column.space(1)
  }
}

const SIZE = 6.2

class FrameOfBox {
  private top: number

  constructor(private readonly column: Column) {
    if (!column.fits(4 * SIZE)) column.turn()
    this.top = column.y
  }

  write(said: Said, font: Style['font'], tag: Tag): void {
    const { column } = this
    const style = { font, size: SIZE }
    for (const line of column.linesOf(said, style, 3 * MM)) {
      if (!column.fits(SIZE * 1.22 + 1.2 * MM)) {
        this.close()
        column.turn()
        this.top = column.y
      }
      column.y -= SIZE * 1.22
      column.sheet.write(line, column.left + 1.5 * MM, column.y, style, tag)
    }
  }

  close(): void {
    const { column, top } = this
    column.space(1.2)
    const { sheet, left: x, y, width } = column
    const border = { borderWidth: 0.4, borderColor: grayscale(0.6) }
    sheet.as(undefined, () => sheet.page.drawRectangle({ x, y, width, height: top - y, ...border }))
  }
}

/** Draws QR codes row by row: below what stands above where all of them fit, else on pages of their own. */
function drawCodes(column: Column, signature: CodesOfSignature, title: string, section: Tag): void {
  const { version, level } = signature
  const codes = splitSignature(signature, version, level)
  if (!column.fits(Math.ceil(codes.length / CODES_IN_ROW) * CODE)) {
    column.turn()
    column.write(title, { font: column.sheet.fonts.bold, size: 10 }, section.add('H2'))
    column.space(2)
  }
  const gap = (column.width - CODES_IN_ROW * CODE) / (CODES_IN_ROW - 1)
  let figure = section.add('Figure', { alt: title })
  codes.forEach((code, n) => {
    const place = n % CODES_IN_ROW
    if (place === 0 && column.next(CODE) && n > 0) figure = section.add('Figure', { alt: title })
    const { sheet, left, y } = column
    const image = embedBitmap(sheet.page.doc, qrBitmap(code, level, version))
    sheet.as(figure, () => drawBitmap(sheet.page, image, left + place * (CODE + gap), y, CODE))
  })
}
