import { readDecimal } from './decimal.js'
import { TILE_WIDTH, type Tile } from './tiles.js'

/** What the path of a tile or of a bundle of entries names. */
export type TilePath =
  | ({ readonly kind: 'hashes' } & Tile)
  | { readonly kind: 'entries'; readonly index: number; readonly width: number }

const LONGEST = 64
const FORM = /^(entries|[1-5]?\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The path of a tile below `tile/`: `0/x001/234.p/17` (C2SP tlog-tiles, "Merkle Tree"). */
export const tilePath = ({ level, index, width }: Tile): string => `${level}/${pathOf(index, width)}`

/** The path of a bundle of entries below `tile/`: `entries/x001/234.p/17`. */
export const entriesPath = (index: number, width: number): string => `entries/${pathOf(index, width)}`

/** What a path below `tile/` names; undefined unless it is written as `tilePath` and `entriesPath` write it. */
export function readTilePath(text: string): TilePath | undefined {
  const [, level, elements = '', partial] = (text.length <= LONGEST && FORM.exec(text)) || []
  const index = readDecimal(elements.replaceAll(/[x/]/g, '').replace(/^0+(?=\d)/, ''))
  const width = partial === undefined ? TILE_WIDTH : Number(partial)
  if (level === undefined || index === undefined || text !== `${level}/${pathOf(index, width)}`) return undefined
  return level === 'entries'
    ? { kind: 'entries', index, width }
    : { kind: 'hashes', level: Number(level), index, width }
}

function pathOf(index: number, width: number): string {
  const digits = `${index}`
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  return `${padded.replaceAll(/\d{3}(?=\d)/g, 'x$&/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}
