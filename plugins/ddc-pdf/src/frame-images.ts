import { deflateSync } from 'node:zlib'
import { type Bitmap, qrBitmap } from '@signed-registry/core/qr'
import {
  concatTransformationMatrix,
  drawObject,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib'
import { widthOf } from './fonts.js'
import type { Frame } from './job.js'
import { linesOf } from './lines.js'
import { FOOT, HEAD, ID_CODE, LEFT, MM, RIGHT, type Sheet } from './sheet.js'
import type { Tag } from './structure.js'

/** Room for a logo in the left margin. */
const LOGO = { width: 26 * MM, height: 13 * MM }

/** What appears on every page: codes, letterhead; pictures are embedded once. */
export class FrameImages {
  private constructor(
    private readonly frame: Frame,
    private readonly link: PDFRef,
    private readonly id: PDFRef | undefined,
    private readonly logo: Awaited<ReturnType<PDFDocument['embedPng']>> | undefined,
  ) {}

  static async of(pdf: PDFDocument, frame: Frame): Promise<FrameImages> {
    const link = embedBitmap(pdf, qrBitmap(frame.link.code, 'M'))
    const id = frame.id && embedBitmap(pdf, qrBitmap(frame.id.code, 'M'))
    return new FrameImages(frame, link, id, frame.logo && (await pdf.embedPng(frame.logo)))
  }

  get color(): Frame['color'] {
    return this.frame.color
  }

  /** Draws all of it: as elements inside `first` on the first page, elsewhere as artifacts. */
  draw(sheet: Sheet, first: Tag | undefined): void {
    const part = first?.add('Sect')
    this.drawLetterhead(sheet, part)
    this.drawId(sheet, part)
    const x = 6 * MM
    const { link } = this.frame
    sheet.as(part?.add('Figure', { alt: `QR: ${link.code}` }), () =>
      drawBitmap(sheet.page, this.link, x, FOOT, 17 * MM),
    )
    const upwards = { font: sheet.fonts.regular, size: 6.5, grey: 0.25, turn: 90 }
    for (const [n, { text, lang }] of link.words.entries())
      sheet.write(text, x + 4 * MM + n * 3.2 * MM, FOOT + 19 * MM, upwards, part?.add('P', { lang }))
  }

  private drawId(sheet: Sheet, part: Tag | undefined): void {
    const { page, fonts } = sheet
    const { height, width } = page.getSize()
    const { id } = this.frame
    if (id === undefined || this.id === undefined) return
    const image = this.id
    const style = { font: fonts.regular, size: 7, grey: 0.3 }
    const x = width - RIGHT - ID_CODE - 1.5 * MM - widthOf(id.text, style)
    sheet.write(id.text, x, height - HEAD + 9 * MM, style, part?.add('P'))
    sheet.as(part?.add('Figure', { alt: `QR: ${id.code}` }), () =>
      drawBitmap(page, image, width - RIGHT - ID_CODE, height - HEAD + 1 * MM, ID_CODE),
    )
  }

  /** The logo in the margin with its caption, and the name of the organization over the first page. */
  private drawLetterhead(sheet: Sheet, part: Tag | undefined): void {
    const { page, fonts } = sheet
    const height = page.getHeight()
    const { logo } = this
    const { logoCaption, letterhead } = this.frame
    if (part !== undefined && letterhead !== '') {
      const style = { font: fonts.bold, size: 10 }
      const lines = linesOf(letterhead, style, sheet.width - 2 * ID_CODE - 34 * MM).slice(0, 2)
      const tag = part.add('P')
      for (const [n, line] of lines.entries())
        sheet.write(line, LEFT, height - HEAD + 2.5 * MM + (lines.length - 1 - n) * 12, style, tag)
    }
    if (logo === undefined) return
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height)
    const shown = { width: logo.width * scale, height: logo.height * scale }
    sheet.as(part?.add('Figure', { alt: logoCaption || letterhead || 'Logo' }), () =>
      page.drawImage(logo, { x: 2 * MM, y: height - HEAD - shown.height, ...shown }),
    )
    const style = { font: fonts.regular, size: 6 }
    const caption = linesOf(logoCaption, style, LOGO.width).slice(0, 4)
    const tag = part?.add('P')
    for (const [n, line] of caption.entries())
      sheet.write(line, 2 * MM, height - HEAD - shown.height - 3 * MM - n * 7, style, tag)
  }
}

/** Embeds an image with one bit per pixel. */
export function embedBitmap(pdf: PDFDocument, { size, rows }: Bitmap): PDFRef {
  const image = pdf.context.stream(deflateSync(rows, { level: 1 }), {
    Filter: 'FlateDecode',
    Type: 'XObject',
    Subtype: 'Image',
    Width: size,
    Height: size,
    BitsPerComponent: 1,
    ColorSpace: 'DeviceGray',
  })
  return pdf.context.register(image)
}

/** Draws an image embedded by `embedBitmap`. */
export function drawBitmap(page: PDFPage, image: PDFRef, x: number, y: number, side: number): void {
  const name = page.node.newXObject('Code', image)
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(side, 0, 0, side, x, y),
    drawObject(name),
    popGraphicsState(),
  )
}
