import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import fontkit from '@pdf-lib/fontkit'
import { type Bitmap, qrBitmap } from '@signed-registry/core/qr'
import {
  concatTransformationMatrix,
  degrees,
  drawObject,
  drawText,
  grayscale,
  type PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib'
import type { Frame } from './job.js'

/** Points in a millimetre. */
export const MM = 72 / 25.4
const A4 = [210 * MM, 297 * MM] as const
const LEFT = 30 * MM
const RIGHT = 10 * MM
/** Distances of the header and footer rules from the edge of the paper. */
const HEAD = 18 * MM
/** Side of the identifier's QR code, quiet zone included. */
const ID_CODE = 12 * MM
const FOOT = 18 * MM
const UPRIGHT = { xSkew: degrees(0), ySkew: degrees(0) }

export interface Fonts {
  readonly regular: PDFFont
  readonly bold: PDFFont
}

const fontFile = (style: string) => readFileSync(new URL(`../fonts/LiberationSans-${style}.ttf`, import.meta.url))
const files = { regular: fontFile('Regular'), bold: fontFile('Bold') }

/** Font files are large and never change: they are parsed once per process. */
const parsed = new Map<Uint8Array, ReturnType<typeof fontkit.create>>()
const parsedOnce: typeof fontkit = {
  create(bytes) {
    const font = parsed.get(bytes) ?? withoutShaping(fontkit.create(bytes))
    parsed.set(bytes, font)
    return font
  },
}

/** The same font without shaping (ligatures, features), which pdf-lib does not draw anyway. */
function withoutShaping(font: ReturnType<typeof fontkit.create>): ReturnType<typeof fontkit.create> {
  const known = new Map<string, ReturnType<typeof font.glyphsForString>>()
  const glyphsOf = (character: string) => {
    const glyphs =
      known.get(character) ?? font.glyphsForString(character).map((glyph) => withCharacter(glyph, character))
    known.set(character, glyphs)
    return glyphs
  }
  const layout = (text: string) => ({ glyphs: [...text].flatMap(glyphsOf) })
  return Object.create(font, { layout: { value: layout } })
}

/**
 * The glyph mapped to this character. fontkit remembers the code points for which a glyph was first loaded, none for a component
 * of another glyph: without this the ToUnicode map of a card would depend on earlier cards.
 */
const withCharacter = <G extends object>(glyph: G, character: string): G =>
  Object.create(glyph, { codePoints: { value: [character.codePointAt(0)] } })

/** Fonts with all Russian and Kazakh letters, embedded as subsets. */
export async function embedFonts(pdf: PDFDocument): Promise<Fonts> {
  pdf.registerFontkit(parsedOnce)
  const embed = (style: keyof typeof files) =>
    pdf.embedFont(files[style], { subset: true, customName: `Liberation-${style}` })
  return { regular: await embed('regular'), bold: await embed('bold') }
}

/** Style of a text. */
export interface Style {
  readonly font: PDFFont
  readonly size: number
  readonly grey?: number
  /** Degrees, counterclockwise. */
  readonly turn?: number
}

/** Widths of characters at size 1, by font; there is no kerning (see `withoutShaping`). */
const widths = new WeakMap<PDFFont, Map<string, number>>()

/** The width of a text in points. */
export function widthOf(text: string, { font, size }: Pick<Style, 'font' | 'size'>): number {
  const known = widths.get(font) ?? new Map<string, number>()
  widths.set(font, known)
  let width = 0
  for (const character of text) {
    const own = known.get(character) ?? font.widthOfTextAtSize(character, 1)
    known.set(character, own)
    width += own
  }
  return width * size
}

/** Wraps a text to this width; a longer word is broken. */
export function linesOf(text: string, style: Style, width: number): string[] {
  const measure = (part: string) => widthOf(part, style)
  return clean(text)
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      for (const word of paragraph.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`
        if (measure(longer) <= width) line = longer
        else {
          if (line !== '') lines.push(line)
          const pieces = cut(word, width, measure)
          lines.push(...pieces.slice(0, -1))
          line = pieces.at(-1) ?? ''
        }
      }
      return [...lines, line]
    })
}

function cut(word: string, width: number, measure: (text: string) => number): string[] {
  if (measure(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}

/** Replaces control and format characters, bidirectional marks among them, by spaces. */
const clean = (text: string) => text.replace(/\r\n?|[\u2028\u2029]/gu, '\n').replace(/[^\P{C}\n]/gu, ' ')

/** The pages of a card, each with the common header, footer and margin. */
export class Sheets {
  readonly pages: Sheet[] = []

  constructor(
    readonly pdf: PDFDocument,
    readonly fonts: Fonts,
    private readonly frame: FrameImages,
  ) {}

  /** Adds a page. */
  add(heading: string, landscape = false): Sheet {
    const [width, height] = landscape ? [A4[1], A4[0]] : A4
    const sheet = new Sheet(this, this.pdf.addPage([width, height]), heading)
    this.frame.draw(sheet)
    this.pages.push(sheet)
    return sheet
  }

  /** Writes the page numbers, once all pages exist. */
  number({ footer, pageOf }: Frame): void {
    for (const [n, sheet] of this.pages.entries()) {
      if (n > 0) sheet.foot(footer, fill(pageOf, n + 1, this.pages.length))
    }
  }
}

const fill = (text: string, ...numbers: number[]) =>
  numbers.reduce((filled, n) => filled.replace('{}', String(n)), text)

/** One page, written from top to bottom. */
export class Sheet {
  /** Baseline of the next line. */
  y: number
  readonly left = LEFT
  readonly width: number
  readonly bottom = FOOT + 3 * MM
  private readonly keys = new Map<PDFFont, PDFName>()

  constructor(
    readonly sheets: Sheets,
    readonly page: PDFPage,
    heading: string,
  ) {
    const { width, height } = page.getSize()
    this.width = width - LEFT - RIGHT
    this.y = height - HEAD - 6 * MM
    this.line(height - HEAD)
    this.line(FOOT)
    // Centred on the page, yet clear of the QR code on the right; long headings are set smaller.
    const room = this.width - 2 * (ID_CODE + 2 * MM)
    const wanted = { font: sheets.fonts.regular, size: 9 }
    const style = { ...wanted, size: Math.max(6, Math.min(9, (8.9 * room) / Math.max(1, widthOf(heading, wanted)))) }
    const [text = ''] = linesOf(heading, style, room)
    this.write(text, LEFT + (this.width - widthOf(text, style)) / 2, height - HEAD + 4 * MM, style)
  }

  /** Whether this much height is left on the page. */
  fits(height: number): boolean {
    return this.y - height >= this.bottom
  }

  /** Writes one line of text with its baseline at y. */
  write(text: string, x: number, y: number, { font, size, grey = 0, turn = 0 }: Style): void {
    const options = { x, y, size, font: this.keyOf(font), color: grayscale(grey), rotate: degrees(turn), ...UPRIGHT }
    this.page.pushOperators(...drawText(font.encodeText(text), options))
  }

  /** The font's resource name on this page, made once; pdf-lib's `drawText` adds a new one for every line. */
  private keyOf(font: PDFFont): PDFName {
    const key = this.keys.get(font) ?? this.page.node.newFontDictionary(font.name, font.ref)
    this.keys.set(font, key)
    return key
  }

  foot(left: string, right: string): void {
    const style = { font: this.sheets.fonts.regular, size: 9 }
    const rightWidth = widthOf(right, style)
    const [text = ''] = linesOf(left, style, this.width - rightWidth - 6 * MM)
    this.write(text, LEFT, FOOT - 5 * MM, style)
    this.write(right, LEFT + this.width - rightWidth, FOOT - 5 * MM, style)
  }

  private line(y: number): void {
    this.page.drawLine({ start: { x: LEFT, y }, end: { x: LEFT + this.width, y }, thickness: 0.8 })
  }
}

/** Images that appear on every page, each embedded once. */
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

  draw(sheet: Sheet): void {
    const { page } = sheet
    const { fonts } = sheet.sheets
    const { height, width } = page.getSize()
    const { id, link, logoCaption } = this.frame
    if (id !== undefined && this.id !== undefined) {
      drawBitmap(page, this.id, width - RIGHT - ID_CODE, height - HEAD + 1 * MM, ID_CODE)
      const size = 7
      const x = width - RIGHT - ID_CODE - 1.5 * MM - widthOf(id.text, { font: fonts.regular, size })
      sheet.write(id.text, x, height - HEAD + 9 * MM, { font: fonts.regular, size, grey: 0.3 })
    }
    const x = 6 * MM
    drawBitmap(page, this.link, x, FOOT, 17 * MM)
    const upwards = { font: fonts.regular, size: 6.5, grey: 0.25, turn: 90 }
    for (const [n, words] of link.words.entries())
      sheet.write(words, x + 4 * MM + n * 3.2 * MM, FOOT + 19 * MM, upwards)
    if (this.logo !== undefined) {
      page.drawImage(this.logo, { x: 2 * MM, y: height - HEAD - 13 * MM, width: 26 * MM, height: 13 * MM })
      const style = { font: fonts.regular, size: 6 }
      const caption = linesOf(logoCaption, style, 26 * MM).slice(0, 4)
      for (const [n, line] of caption.entries()) sheet.write(line, 2 * MM, height - HEAD - 16 * MM - n * 7, style)
    }
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
  page.pushOperators(...placed(name, x, y, side))
}

const placed = (name: PDFName, x: number, y: number, side: number) => [
  pushGraphicsState(),
  concatTransformationMatrix(side, 0, 0, side, x, y),
  drawObject(name),
  popGraphicsState(),
]
