import { type Style, widthOf } from './fonts.js'
import { linesOf } from './lines.js'
import { plain, type Run, type Said } from './said.js'
import { MM, type Sheet } from './sheet.js'
import type { Sheets } from './sheets.js'
import type { Tag } from './structure.js'

/** Height of a line as a multiple of its size. */
const LEADING = 1.25

/** The pages of a part of the card, which are added as its columns need them. */
export class Flow {
  private readonly own: Sheet[]

  constructor(
    private readonly sheets: Sheets,
    private readonly heading: Said,
    first: Sheet,
  ) {
    this.own = [first]
  }

  sheet(n: number): Sheet {
    const sheet = this.own[n] ?? this.sheets.add(this.heading)
    this.own[n] = sheet
    return sheet
  }
}

/** A text in a row; texts below each other in a cell have styles of their own. */
export interface Cell {
  /** Distance from the left edge of the column. */
  readonly x: number
  readonly width: number
  readonly texts: readonly { readonly said: Said; readonly style: Style }[]
  readonly tag: Tag | undefined
}

/** A column of text that goes on over the pages of its part. Columns side by side share them. */
export class Column {
  /** Place of the page in its part. */
  at = 0
  /** Baseline of the next line. */
  y: number

  constructor(
    private readonly flow: Flow,
    private readonly offset: number,
    readonly width: number,
  ) {
    this.y = this.sheet.top
  }

  get sheet(): Sheet {
    return this.flow.sheet(this.at)
  }

  get left(): number {
    return this.sheet.left + this.offset
  }

  /** Whether this much height is left on the page. */
  fits(height: number): boolean {
    return this.y - height >= this.sheet.bottom
  }

  /** Goes on with the next page. */
  turn(): void {
    this.at += 1
    this.y = this.sheet.top
  }

  space(mm: number): void {
    this.y -= mm * MM
  }

  /** Goes down by this height, to the next page if need be. Returns whether that was needed. */
  next(height: number): boolean {
    const turned = !this.fits(height)
    if (turned) this.turn()
    this.y -= height
    return turned
  }

  /** The lines of a text in this column, but for a margin. */
  linesOf(said: Said, style: Style, margin = 0): (readonly Run[])[] {
    return linesOf(said, style, this.width - margin)
  }

  /** Writes a text over as many lines as it needs. */
  write(said: Said, style: Style, tag?: Tag, { centred = false } = {}): void {
    for (const line of this.linesOf(said, style)) {
      this.next(style.size * LEADING)
      const shift = centred ? (this.width - widthOf(plain(line), style)) / 2 : 0
      this.sheet.write(line, this.left + shift, this.y, style, tag)
    }
  }

  /** Writes cells side by side; they stay on one page where they fit on one. */
  row(cells: readonly Cell[]): void {
    const rows = linesOfRow(cells)
    const height = heightOf(rows)
    if (!this.fits(height) && height <= this.sheet.top - this.sheet.bottom) this.turn()
    for (const row of rows) {
      this.next(row.height)
      for (const { line, style, cell } of row.lines) this.sheet.write(line, this.left + cell.x, this.y, style, cell.tag)
    }
  }

  /** Whether cells side by side fit on the page. */
  fitsRow(cells: readonly Cell[]): boolean {
    return this.fits(heightOf(linesOfRow(cells)))
  }
}

/** Lines of the cells of a row that stand at the same height. */
interface LinesOfRow {
  readonly height: number
  readonly lines: readonly { readonly line: readonly Run[]; readonly style: Style; readonly cell: Cell }[]
}

function linesOfRow(cells: readonly Cell[]): LinesOfRow[] {
  const columns = cells.map((cell) =>
    cell.texts.flatMap(({ said, style }) => linesOf(said, style, cell.width).map((line) => ({ line, style, cell }))),
  )
  return Array.from({ length: Math.max(...columns.map((lines) => lines.length)) }, (_, n) => {
    const lines = columns.flatMap((column) => column[n] ?? [])
    return { lines, height: Math.max(...lines.map(({ style }) => style.size * LEADING)) }
  })
}

const heightOf = (rows: readonly LinesOfRow[]) => rows.reduce((sum, { height }) => sum + height, 0)

/** Of columns of one part, the one that ends last. */
export function lowest(columns: readonly Column[]): Column {
  return columns.reduce((one, other) => (other.at > one.at || (other.at === one.at && other.y < one.y) ? other : one))
}
