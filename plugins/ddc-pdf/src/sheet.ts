import {
  degrees,
  drawText,
  grayscale,
  type PDFFont,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  rgb,
} from 'pdf-lib'
import { drawable, type Fonts, type Style, widthOf } from './fonts.js'
import type { Frame } from './job.js'
import { linesOf } from './lines.js'
import { plain, runsOf, type Said } from './said.js'
import type { Tag } from './structure.js'

/** Points in a millimetre. */
export const MM = 72 / 25.4
export const LEFT = 30 * MM
export const RIGHT = 10 * MM
/** Distances of the header and footer rules from the edge of the paper. */
export const HEAD = 18 * MM
/** Side of the identifier's QR code, quiet zone included. */
export const ID_CODE = 12 * MM
export const FOOT = 18 * MM
const UPRIGHT = { xSkew: degrees(0), ySkew: degrees(0) }

/** One page, written from top to bottom. All that is drawn is content of an element of the structure, or an artifact. */
export class Sheet {
  /** The highest baseline. */
  readonly top: number
  readonly left = LEFT
  readonly width: number
  readonly bottom = FOOT + 3 * MM
  /** The elements that the marked content of this page belongs to, by its number. */
  readonly contents: Tag[] = []
  private readonly keys = new Map<PDFFont, PDFName>()
  /** What is being drawn, if anything. */
  private open: { readonly tag: Tag | undefined } | undefined

  constructor(
    readonly fonts: Fonts,
    readonly page: PDFPage,
    color: Frame['color'],
  ) {
    const { width, height } = page.getSize()
    this.width = width - LEFT - RIGHT
    this.top = height - HEAD - 6 * MM
    this.line(height - HEAD, color)
    this.line(FOOT)
  }

  /** Draws as content of an element, or as an artifact, which readers aloud skip. */
  as(tag: Tag | undefined, draw: () => void): void {
    if (this.open === undefined || this.open.tag !== tag) {
      this.close()
      this.begin(tag)
    }
    draw()
  }

  /** Ends what is being drawn. */
  close(): void {
    if (this.open !== undefined) this.page.pushOperators(END)
    this.open = undefined
  }

  /** Writes one line of text with its baseline at y. */
  write(said: Said, x: number, y: number, style: Style, tag?: Tag): void {
    const { font, size, grey = 0, turn = 0 } = style
    this.as(tag, () => {
      let at = x
      for (const { text, lang } of runsOf(said)) {
        const shown = drawable(text)
        const options = { x: at, y, size, font: this.keyOf(font), color: grayscale(grey), ...UPRIGHT }
        const operators = drawText(font.encodeText(shown), { ...options, rotate: degrees(turn) })
        const isMarked = lang !== undefined && tag !== undefined
        this.page.pushOperators(...(isMarked ? [inLanguage(lang), ...operators, END] : operators))
        at += widthOf(shown, style)
      }
    })
  }

  /** Writes what the page shows, above its upper rule. */
  head(heading: Said, tag: Tag | undefined): void {
    // Centred on the page, yet clear of the QR code on the right; long headings are set smaller.
    const room = this.width - 2 * (ID_CODE + 2 * MM)
    const wanted = { font: this.fonts.regular, size: 9 }
    const full = Math.max(1, widthOf(plain(heading), wanted))
    const style = { ...wanted, size: Math.max(6, Math.min(9, (8.9 * room) / full)) }
    const [text = []] = linesOf(heading, style, room)
    const x = LEFT + (this.width - widthOf(plain(text), style)) / 2
    this.write(text, x, this.page.getHeight() - HEAD + 4 * MM, style, tag)
  }

  foot(left: string, right: string): void {
    const style = { font: this.fonts.regular, size: 9 }
    const rightWidth = widthOf(right, style)
    const [text = []] = linesOf(left, style, this.width - rightWidth - 6 * MM)
    this.write(text, LEFT, FOOT - 5 * MM, style)
    this.write(right, LEFT + this.width - rightWidth, FOOT - 5 * MM, style)
  }

  private begin(tag: Tag | undefined): void {
    this.open = { tag }
    if (tag === undefined) this.page.pushOperators(ARTIFACT)
    else {
      const mcid = this.contents.push(tag) - 1
      tag.addContent({ page: this.page.ref, mcid })
      this.page.pushOperators(marked(tag.role, `<</MCID ${mcid}>>`))
    }
  }

  /** The font's resource name on this page, made once; pdf-lib's `drawText` adds a new one for every line. */
  private keyOf(font: PDFFont): PDFName {
    const key = this.keys.get(font) ?? this.page.node.newFontDictionary(font.name, font.ref)
    this.keys.set(font, key)
    return key
  }

  private line(y: number, color?: Frame['color']): void {
    const thickness = color === undefined ? 0.8 : 2
    const [red, green, blue] = color ?? [0, 0, 0]
    this.as(undefined, () =>
      this.page.drawLine({
        start: { x: LEFT, y },
        end: { x: LEFT + this.width, y },
        thickness,
        ...(color && { color: rgb(red, green, blue) }),
      }),
    )
  }
}

const marked = (tag: string, properties: string) =>
  PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of(tag), properties])
const inLanguage = (language: string) => marked('Span', `<</Lang (${language})>>`)
const ARTIFACT = PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')])
const END = PDFOperator.of(PDFOperatorNames.EndMarkedContent)
