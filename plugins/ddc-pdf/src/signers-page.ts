import { type Cell, Column, Flow } from './flow.js'
import type { Signers } from './job.js'
import { MM, type Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import type { Tag } from './structure.js'

/** Where each column begins, and its width. */
const COLUMNS = [
  { x: 0, width: 7 * MM },
  { x: 9 * MM, width: 76 * MM },
  { x: 88 * MM, width: 38 * MM },
  { x: 129 * MM, width: 41 * MM },
] as const

/**
 * Writes who signed and when: on a page of its own, or after the end of the information where that goes beyond its first page,
 * so that no page is nearly empty. Returns where it begins.
 */
export function writeSigners(sheets: Sheets, signers: Signers, after: Column): { sheet: Sheet; y: number } {
  const section = sheets.structure.add('Sect')
  const column = after.at === 0 ? ownPage(sheets, signers) : after
  if (column === after) {
    column.space(6)
    if (!column.fits(40 * MM)) column.turn()
  }
  const begin = { sheet: column.sheet, y: column.y }
  const { bold, regular } = sheets.fonts
  column.write(signers.title, { font: bold, size: 12 }, section.add('H1'))
  column.space(3)
  const table = section.add('Table')
  writeHeader(column, signers, table)
  for (const { cells } of signers.rows) {
    const tag = table.add('TR')
    const row = cells.map((lines, n) => ({
      ...(COLUMNS[n] ?? COLUMNS[0]),
      texts: lines.map((said, line) => ({
        said,
        style: line === 0 ? { font: bold, size: 9 } : { font: regular, size: 8, grey: 0.2 },
      })),
      tag: tag.add('TD'),
    }))
    writeRow(column, row, () => writeHeader(column, signers, undefined))
  }
  column.space(3)
  column.write(signers.note, { font: regular, size: 8.5 }, section.add('P'))
  return begin
}

const ownPage = (sheets: Sheets, { heading }: Signers): Column => {
  const first = sheets.add(heading)
  return new Column(new Flow(sheets, heading, first), 0, first.width)
}

/** The header of the table; repeated on later pages, where it is an artifact. */
function writeHeader(column: Column, { columns }: Signers, table: Tag | undefined): void {
  const row = table?.add('TR')
  const style = { font: column.sheet.fonts.regular, size: 8, grey: 0.35 }
  column.row(
    columns.map((said, n) => ({ ...(COLUMNS[n] ?? COLUMNS[0]), texts: [{ said, style }], tag: row?.add('TH') })),
  )
  rule(column)
}

function writeRow(column: Column, row: readonly Cell[], header: () => void): void {
  if (!column.fitsRow(row)) {
    column.turn()
    header()
  }
  column.row(row)
  rule(column)
}

/** A thin line below a row. */
function rule(column: Column): void {
  column.space(1.5)
  const { sheet, y, left, width } = column
  sheet.as(undefined, () => sheet.page.drawLine({ start: { x: left, y }, end: { x: left + width, y }, thickness: 0.3 }))
  column.space(1)
}
