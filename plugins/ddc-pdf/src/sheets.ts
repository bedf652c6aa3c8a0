import type { PDFDocument } from 'pdf-lib'
import type { Fonts } from './fonts.js'
import type { FrameImages } from './frame-images.js'
import type { Frame } from './job.js'
import type { Said } from './said.js'
import { MM, Sheet } from './sheet.js'
import { Tag } from './structure.js'

const A4 = [210 * MM, 297 * MM] as const

/** How a page begins. */
interface Beginning {
  readonly landscape?: boolean
  /** The element that the heading is; on other pages it only repeats. */
  readonly tag?: Tag | undefined
}

/** The pages of a card, each with the common header, footer and margin. */
export class Sheets {
  readonly pages: Sheet[] = []
  /** The structure of the whole card. */
  readonly structure = new Tag('Document')

  constructor(
    readonly pdf: PDFDocument,
    readonly fonts: Fonts,
    private readonly frame: FrameImages,
  ) {}

  /** Adds a page. */
  add(heading: Said, { landscape = false, tag }: Beginning = {}): Sheet {
    const [width, height] = landscape ? [A4[1], A4[0]] : A4
    const sheet = new Sheet(this.fonts, this.pdf.addPage([width, height]), this.frame.color)
    this.frame.draw(sheet, this.pages.length === 0 ? this.structure : undefined)
    sheet.head(heading, tag)
    this.pages.push(sheet)
    return sheet
  }

  /** Writes the page numbers, once all pages exist. */
  number({ footer, pageOf }: Frame): void {
    for (const [n, sheet] of this.pages.entries()) {
      if (n > 0) sheet.foot(footer, fill(pageOf, n + 1, this.pages.length))
      sheet.close()
    }
  }
}

const fill = (text: string, ...numbers: number[]) =>
  numbers.reduce((filled, n) => filled.replace('{}', String(n)), text)
