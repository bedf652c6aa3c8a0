import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import decodeQR from 'qr/decode.js'

/** True where poppler and qpdf are installed; `.ci/run` installs them. */
export const hasPdfReaders = (): boolean => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' })
    execFileSync('qpdf', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs another reader on a PDF and answers what it prints; `FILE` in the arguments is the PDF, `FOLDER` an empty folder. */
export function readWith<T>(
  pdf: Uint8Array,
  command: string,
  args: readonly string[],
  look: (out: string, folder: string) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'card-'))
  try {
    const file = join(folder, 'card.pdf')
    const out = join(folder, 'out')
    writeFileSync(file, pdf)
    execFileSync('mkdir', [out])
    const filled = args.map((one) => one.replace('FILE', file).replace('FOLDER', out))
    return look(execFileSync(command, filled, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }), out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Text of a PDF as a reader copies it. */
export const textOf = (pdf: Uint8Array, ...options: string[]): string =>
  readWith(pdf, 'pdftotext', [...options, '-layout', 'FILE', '-'], (out) => out)

/** A page as drawn. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** One octet a pixel, grey. */
  readonly pixels: Uint8Array
}

/** Pages drawn as by a printer of so many dots an inch. */
export const drawPages = (pdf: Uint8Array, dpi: number): Picture[] =>
  readWith(pdf, 'pdftoppm', ['-gray', '-r', String(dpi), 'FILE', 'FOLDER/page'], (_, folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => readPgm(readFileSync(join(folder, name)))),
  )

/** Reads a grey picture (netpbm P5). */
function readPgm(bytes: Buffer): Picture {
  const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64))
  if (header === null) throw new Error('This is no grey picture')
  const [all, width, height] = header
  return { width: Number(width), height: Number(height), pixels: bytes.subarray(all.length) }
}

/** Reads the QR code inside a part of a picture; parts of a whole from 0 to 1, from the top left. */
export function readCode(picture: Picture, part: { x: number; y: number; width: number; height: number }): string {
  const [left, top] = [Math.floor(part.x * picture.width), Math.floor(part.y * picture.height)]
  const [width, height] = [Math.ceil(part.width * picture.width), Math.ceil(part.height * picture.height)]
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grey = picture.pixels[(top + y) * picture.width + left + x] ?? 255
      data.fill(grey, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return decodeQR({ width, height, data })
}

/** Millimetres of the cells in which codes are looked for, and how much of a cell of a code is at least black. */
const CELL = 1
const BLACK = 0.2

/** The texts of all QR codes on a page that was drawn at so many dots an inch; what else is dark there is passed over. */
export function codesOn(picture: Picture, dpi: number): string[] {
  const cell = Math.round((CELL / 25.4) * dpi)
  const [columns, rows] = [Math.floor(picture.width / cell), Math.floor(picture.height / cell)]
  const isBlack = (column: number, row: number): boolean => {
    let count = 0
    for (let y = row * cell; y < (row + 1) * cell; y++) {
      const from = y * picture.width + column * cell
      count += picture.pixels.subarray(from, from + cell).reduce((sum, grey) => sum + (grey < 128 ? 1 : 0), 0)
    }
    return count > BLACK * cell * cell
  }
  const left = new Set<number>()
  for (let at = 0; at < columns * rows; at++) if (isBlack(at % columns, Math.floor(at / columns))) left.add(at)
  return groups(left, columns).flatMap((group) => {
    const [xs, ys] = [group.map((at) => at % columns), group.map((at) => Math.floor(at / columns))]
    const [x, y] = [Math.min(...xs), Math.min(...ys)]
    const [width, height] = [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1]
    if (width * CELL < 8 || height * CELL < 8) return []
    // The quiet zone belongs to the code.
    const part = {
      x: ((x - 1) * cell) / picture.width,
      y: ((y - 1) * cell) / picture.height,
      width: ((width + 2) * cell) / picture.width,
      height: ((height + 2) * cell) / picture.height,
    }
    try {
      return [readCode(picture, part)]
    } catch {
      return []
    }
  })
}

/** Groups of cells that touch, also by their corners. */
function groups(left: Set<number>, columns: number): number[][] {
  const found: number[][] = []
  for (const first of left) {
    const group = [first]
    left.delete(first)
    for (const at of group) {
      for (const step of [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => x + y * columns))) {
        if (left.delete(at + step)) group.push(at + step)
      }
    }
    found.push(group)
  }
  return found
}
