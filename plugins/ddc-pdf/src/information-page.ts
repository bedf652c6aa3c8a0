import type { AttachedFile, Fact, Information } from './job.js'
import { linesOf, MM, type Sheet, type Sheets, type Style, widthOf } from './sheet.js'

/** The parts of a card besides its information. */
export interface Parts {
  readonly original: boolean
  readonly signatures: boolean
}

/** Writes a part's first page number into the table of contents. */
export type NumberContents = (part: keyof Parts, page: number) => void

/**
 * Writes what the card is, what it contains and how to verify it (format of cards, "Information block"). Returns a function
 * that fills in the page numbers of the table of contents, which are not known yet.
 */
export function writeInformation(
  sheets: Sheets,
  information: Information,
  files: readonly AttachedFile[],
  parts: Parts,
): NumberContents {
  const writer = new Writer(sheets, information.heading)
  const { bold } = sheets.fonts
  writer.centred(information.heading.toUpperCase(), { font: bold, size: 13 }, 7)
  writer.centred(information.title, { font: bold, size: 12 }, 3)
  if (information.description !== '')
    writer.centred(information.description, { font: sheets.fonts.regular, size: 10 }, 3)
  writer.space(3)
  writer.columns(information.facts)
  writer.heading(information.contentsHeading)
  writer.row(information.contents.information)(1)
  const places: Record<keyof Parts, ((page: number) => void) | undefined> = {
    original: parts.original ? writer.row(information.contents.original) : undefined,
    signatures: parts.signatures ? writer.row(information.contents.signatures) : undefined,
  }
  writer.heading(information.filesHeading)
  for (const [n, file] of files.entries()) writer.file(n + 1, file)
  writer.heading(information.hashesHeading)
  for (const hash of information.hashes) writer.hash(hash)
  writer.space(3)
  for (const paragraph of information.paragraphs) writer.paragraph(paragraph, sheets.fonts.regular)
  writer.paragraph(information.warning, bold)
  return (part, page) => places[part]?.(page)
}

/** Writes text over as many pages as needed. */
class Writer {
  private sheet: Sheet

  constructor(
    private readonly sheets: Sheets,
    private readonly title: string,
  ) {
    this.sheet = sheets.add('')
  }

  space(mm: number): void {
    this.sheet.y -= mm * MM
  }

  centred(text: string, style: Style, below: number): void {
    for (const line of linesOf(text, style, this.sheet.width)) {
      this.next(style.size * 1.3)
      const x = this.sheet.left + (this.sheet.width - widthOf(line, style)) / 2
      this.sheet.write(line, x, this.sheet.y, style)
    }
    this.space(below)
  }

  heading(text: string): void {
    this.space(3)
    this.lines(text, { font: this.sheets.fonts.bold, size: 10 }, this.sheet.left, this.sheet.width)
    this.space(0.7)
  }

  /** Facts side by side, each label above its value. */
  columns(facts: readonly Fact[]): void {
    const width = this.sheet.width / 2 - 3 * MM
    for (let at = 0; at < facts.length; at += 2) {
      const top = this.sheet.y
      const ends = facts.slice(at, at + 2).map(({ label, value }, n) => {
        this.sheet.y = top
        const x = this.sheet.left + n * (this.sheet.width / 2)
        this.lines(label, { font: this.sheets.fonts.bold, size: 10 }, x, width)
        this.lines(value, { font: this.sheets.fonts.regular, size: 10 }, x, width)
        return this.sheet.y
      })
      this.sheet.y = Math.min(...ends)
    }
  }

  /** A line of the table of contents; returns a function that writes its page number. */
  row(text: string): (page: number) => void {
    const style = { font: this.sheets.fonts.regular, size: 10 }
    this.lines(text, style, this.sheet.left, this.sheet.width - 20 * MM)
    const { sheet } = this
    const { y } = sheet
    return (page) => sheet.write(String(page), sheet.left + sheet.width - 10 * MM, y, style)
  }

  file(number: number, { name, note }: AttachedFile): void {
    const style = { font: this.sheets.fonts.regular, size: 10 }
    const [numberX, nameX, noteX] = [this.sheet.left, this.sheet.left + 9 * MM, this.sheet.left + 92 * MM]
    const names = linesOf(name, style, 80 * MM)
    const notes = linesOf(note, style, this.sheet.width - 92 * MM)
    for (let n = 0; n < Math.max(names.length, notes.length); n++) {
      this.next(style.size * 1.25)
      if (n === 0) this.sheet.write(`${number}.`, numberX, this.sheet.y, style)
      this.sheet.write(names[n] ?? '', nameX, this.sheet.y, style)
      this.sheet.write(notes[n] ?? '', noteX, this.sheet.y, style)
    }
  }

  hash({ label, value }: Fact): void {
    const style = { font: this.sheets.fonts.regular, size: 8 }
    this.lines(`${label}: ${value}`, style, this.sheet.left, this.sheet.width)
  }

  paragraph(text: string, font: Style['font']): void {
    this.lines(text, { font, size: 8.5 }, this.sheet.left, this.sheet.width)
    this.space(2)
  }

  private lines(text: string, style: Style, x: number, width: number): void {
    for (const line of linesOf(text, style, width)) {
      this.next(style.size * 1.25)
      this.sheet.write(line, x, this.sheet.y, style)
    }
  }

  private next(height: number): void {
    if (!this.sheet.fits(height)) this.sheet = this.sheets.add(this.title)
    this.sheet.y -= height
  }
}
