import { Column, Flow } from './flow.js'
import type { Style } from './fonts.js'
import type { AttachedFile, Fact, Information } from './job.js'
import { plain, type Said } from './said.js'
import { MM, type Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import type { Tag } from './structure.js'

/** The parts of a card besides its information. */
export interface Parts {
  readonly signers: boolean
  readonly original: boolean
  readonly signatures: boolean
}

/** Writes a part's first page number into the table of contents. */
export type NumberContents = (part: keyof Parts, page: number) => void

/**
 * Writes what the card is, what it contains and how to verify it (format of cards, "Information block"). Returns its first page, the column
 * where it ends, and a function that fills in the page numbers of the table of contents, which are not known yet.
 */
export function writeInformation(
  sheets: Sheets,
  information: Information,
  files: readonly AttachedFile[],
  parts: Parts,
): { readonly first: Sheet; readonly end: Column; readonly number: NumberContents } {
  const first = sheets.add('')
  const end = new Column(new Flow(sheets, information.heading, first), 0, first.width)
  const section = sheets.structure.add('Sect')
  const writer = new Writer(sheets, end, section)
  const { bold, regular } = sheets.fonts
  writer.centred(upperCase(information.heading), { font: bold, size: 13 }, 7, 'H1')
  writer.centred(information.title, { font: bold, size: 12 }, 3)
  if (information.description !== '') writer.centred(information.description, { font: regular, size: 10 }, 3)
  end.space(3)
  writer.columns(information.facts)
  writer.heading(information.contentsHeading)
  const contents = section.add('TOC')
  writer.row(contents, information.contents.information)(1)
  const row = (part: keyof Parts) => (parts[part] ? writer.row(contents, information.contents[part]) : undefined)
  const places = { signers: row('signers'), original: row('original'), signatures: row('signatures') }
  writer.heading(information.filesHeading)
  const list = section.add('L')
  for (const [n, file] of files.entries()) writer.file(list, n + 1, file)
  writer.heading(information.hashesHeading)
  for (const hash of information.hashes) writer.hash(hash)
  end.space(3)
  for (const paragraph of information.paragraphs) writer.paragraph(paragraph, regular)
  for (const warning of information.warnings) writer.paragraph(warning, bold)
  return { first, end, number: (part, page) => places[part]?.(page) }
}

const upperCase = (said: Said): Said =>
  typeof said === 'string' ? said.toUpperCase() : said.map((run) => ({ ...run, text: run.text.toUpperCase() }))

class Writer {
  constructor(
    private readonly sheets: Sheets,
    private readonly column: Column,
    private readonly section: Tag,
  ) {}

  centred(said: Said, style: Style, below: number, role: 'H1' | 'P' = 'P'): void {
    this.column.write(said, style, this.section.add(role), { centred: true })
    this.column.space(below)
  }

  heading(said: Said): void {
    const { column } = this
    column.space(3)
    // A heading stays with the line after it.
    if (!column.fits(12 * MM)) column.turn()
    column.write(said, { font: this.sheets.fonts.bold, size: 10 }, this.section.add('H2'))
    column.space(0.7)
  }

  /** Facts side by side, each label above its value. */
  columns(facts: readonly Fact[]): void {
    const half = this.column.width / 2
    const { bold, regular } = this.sheets.fonts
    for (let at = 0; at < facts.length; at += 2) {
      const cells = facts.slice(at, at + 2).map(({ label, value }, n) => ({
        x: n * half,
        width: half - 3 * MM,
        texts: [
          { said: label, style: { font: bold, size: 10 } },
          { said: value, style: { font: regular, size: 10 } },
        ],
        tag: this.section.add('P'),
      }))
      this.column.row(cells)
      this.column.space(0.7)
    }
  }

  /** A line of the table of contents; returns a function that writes its page number. */
  row(contents: Tag, said: Said): (page: number) => void {
    const { column } = this
    const tag = contents.add('TOCI')
    const style = { font: this.sheets.fonts.regular, size: 10 }
    column.row([{ x: 0, width: column.width - 20 * MM, texts: [{ said, style }], tag }])
    const { sheet, y, left, width } = column
    return (page) => sheet.write(String(page), left + width - 10 * MM, y, style, tag)
  }

  file(list: Tag, number: number, { name, note }: AttachedFile): void {
    const style = { font: this.sheets.fonts.regular, size: 10 }
    const item = list.add('LI')
    const [label, body] = [item.add('Lbl'), item.add('LBody')]
    const cell = (x: number, width: number, said: Said, tag: Tag) => ({ x, width, texts: [{ said, style }], tag })
    const wide = this.column.width - 92 * MM
    this.column.row([
      cell(0, 9 * MM, `${number}.`, label),
      cell(9 * MM, 80 * MM, name, body.add('P')),
      cell(92 * MM, wide, note, body.add('P')),
    ])
  }

  hash({ label, value }: Fact): void {
    const style = { font: this.sheets.fonts.regular, size: 8 }
    this.column.write(`${plain(label)}: ${plain(value)}`, style, this.section.add('P'))
  }

  paragraph(said: Said, font: Style['font']): void {
    const { column } = this
    const texts = [{ said, style: { font, size: 8.5 } }]
    column.row([{ x: 0, width: column.width, texts, tag: this.section.add('P') }])
    column.space(2)
  }
}
