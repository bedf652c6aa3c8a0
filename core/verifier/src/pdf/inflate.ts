import { inflateSync } from 'node:zlib'
import type { ByteSource } from '../byte-source.js'
import { notRead } from './errors.js'
import { elementsOf, nameText, PdfDictionary, type PdfStream, type PdfValue } from './values.js'

/** Octets of one stream that are inflated, and of all streams of a file. */
const MAX_STREAM = 16 * 1024 * 1024
const MAX_ALL = 512 * 1024 * 1024

/** How much more of a file is inflated. */
export class InflateBudget {
  private left = MAX_ALL

  take(octets: number): void {
    this.left -= octets
    if (this.left < 0) throw notRead('inflatesTooMuch')
  }

  get most(): number {
    return Math.min(MAX_STREAM, this.left)
  }
}

/**
 * The data of a stream of cross references or objects (ISO 32000-2, 7.4.4): as it stands, or in Flate with a predictor. `length` is
 * the value of its Length, and `resolve` follows references in its dictionary.
 */
export function streamData(
  source: ByteSource,
  stream: PdfStream,
  { length, resolve, budget }: { length: number; resolve: (value: PdfValue) => PdfValue; budget: InflateBudget },
): Uint8Array {
  const { dictionary, dataAt } = stream
  if (length < 0 || dataAt + length > source.size) throw notRead('streamLength', { at: dataAt })
  if (length > MAX_STREAM) throw notRead('inflatesTooMuch', { at: dataAt })
  const stored = source.read(dataAt, dataAt + length)
  const filters = listOf(resolve(dictionary.get('Filter'))).map((one) => nameText(resolve(one)))
  if (filters.length === 0) return stored
  if (filters.length > 1 || (filters[0] !== 'FlateDecode' && filters[0] !== 'Fl'))
    throw notRead('filter', { at: dataAt })
  const parameters = resolve(listOf(resolve(dictionary.get('DecodeParms')))[0] ?? null)
  const inflated = flateDecoded(stored, budget, dataAt)
  return parameters instanceof PdfDictionary ? unpredicted(inflated, parameters) : inflated
}

const listOf = (value: PdfValue): readonly PdfValue[] =>
  value === null ? [] : Array.isArray(value) ? elementsOf(value) : [value]

function flateDecoded(stored: Uint8Array, budget: InflateBudget, at: number): Uint8Array {
  try {
    const data = inflateSync(stored, { maxOutputLength: Math.max(1, budget.most) })
    budget.take(data.length)
    return data
  } catch (error) {
    if (
      error instanceof RangeError ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    )
      throw notRead('inflatesTooMuch', { at })
    if (error instanceof Error && error.name === 'RegistryError') throw error
    throw notRead('streamBroken', { at })
  }
}

const PNG = 10
const TIFF = 2

/** Undoes a predictor (7.4.4.4). */
function unpredicted(data: Uint8Array, parameters: PdfDictionary): Uint8Array {
  const number = (key: string, otherwise: number) => {
    const value = parameters.get(key)
    return typeof value === 'number' ? value : otherwise
  }
  const predictor = number('Predictor', 1)
  if (predictor === 1) return data
  const octets = Math.max(1, Math.ceil((number('Colors', 1) * number('BitsPerComponent', 8)) / 8))
  const row = Math.ceil((number('Colors', 1) * number('BitsPerComponent', 8) * number('Columns', 1)) / 8)
  if (!(row >= 1 && row <= 65_536)) throw notRead('predictor')
  if (predictor === TIFF && number('BitsPerComponent', 8) === 8) return withoutTiff(data, row, octets)
  if (predictor < PNG) throw notRead('predictor')
  return withoutPng(data, row, octets)
}

function withoutTiff(data: Uint8Array, row: number, octets: number): Uint8Array {
  const made = Uint8Array.from(data)
  for (let at = 0; at < made.length; at += 1)
    if (at % row >= octets) made[at] = ((made[at] ?? 0) + (made[at - octets] ?? 0)) & 0xff
  return made
}

function withoutPng(data: Uint8Array, row: number, octets: number): Uint8Array {
  const rows = Math.ceil(data.length / (row + 1))
  const made = new Uint8Array(rows * row)
  for (let line = 0; line < rows; line += 1) {
    const type = data[line * (row + 1)] ?? 0
    if (type > 4) throw notRead('predictor')
    for (let at = 0; at < row; at += 1) {
      const place = line * row + at
      const left = at < octets ? 0 : (made[place - octets] ?? 0)
      const up = line === 0 ? 0 : (made[place - row] ?? 0)
      const upLeft = line === 0 || at < octets ? 0 : (made[place - row - octets] ?? 0)
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][type] ?? 0
      made[place] = ((data[line * (row + 1) + 1 + at] ?? 0) + added) & 0xff
    }
  }
  return made
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [byLeft, byUp, byUpLeft] = [left, up, upLeft].map((one) => Math.abs(estimate - one))
  if ((byLeft ?? 0) <= (byUp ?? 0) && (byLeft ?? 0) <= (byUpLeft ?? 0)) return left
  return (byUp ?? 0) <= (byUpLeft ?? 0) ? up : upLeft
}
