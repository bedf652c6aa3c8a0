import { readFileSync } from 'node:fs'
import fontkit from '@pdf-lib/fontkit'
import type { PDFDocument, PDFFont } from 'pdf-lib'

export interface Fonts {
  readonly regular: PDFFont
  readonly bold: PDFFont
}

/** Style of a text. */
export interface Style {
  readonly font: PDFFont
  readonly size: number
  readonly grey?: number
  /** Degrees, counterclockwise. */
  readonly turn?: number
}

const fontFile = (style: string) => readFileSync(new URL(`../fonts/LiberationSans-${style}.ttf`, import.meta.url))
const files = { regular: fontFile('Regular'), bold: fontFile('Bold') }
/** Names of subsets (ISO 32000-1, 9.6.4). */
const NAMES = { regular: 'AAAAAA+LiberationSans', bold: 'AAAAAB+LiberationSans-Bold' } as const

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
  const embed = (style: keyof typeof files) => pdf.embedFont(files[style], { subset: true, customName: NAMES[style] })
  return { regular: await embed('regular'), bold: await embed('bold') }
}

/** What stands for a character that the fonts do not have: standards for archives forbid the glyph for none. */
const UNKNOWN = '\u25A1'
const inFonts = new Map<string, boolean>()

function isDrawable(character: string): boolean {
  const known =
    inFonts.get(character) ?? parsedOnce.create(files.regular).hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  inFonts.set(character, known)
  return known
}

/** The text with a sign in place of every character that the fonts do not have, but for ends of lines. */
export function drawable(text: string): string {
  for (const one of text) {
    if (one === '\n' || isDrawable(one)) continue
    return Array.from(text, (each) => (each === '\n' || isDrawable(each) ? each : UNKNOWN)).join('')
  }
  return text
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
