/** Points of the tone curve. */
const POINTS = 256
/** The white that profiles are relative to (D50), and the primaries of sRGB adapted to it (IEC 61966-2-1; ICC.1, annex E). */
const WHITE = [0.9642, 1, 0.8249] as const
const PRIMARIES = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7139],
} as const

/** An ICC profile of sRGB, version 2.1: what the colours of a card mean (ICC.1:1998-09). */
export function srgbProfile(): Uint8Array {
  const curve = toneCurve()
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', description('sRGB')],
    ['cprt', type('text', Buffer.from('No copyright, use freely\0'))],
    ['wtpt', coordinates(WHITE)],
    ...Object.entries(PRIMARIES).map(([name, primary]) => [name, coordinates(primary)] as const),
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, curve] as const),
  ]
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length)
  const placed = new Map<Buffer, number>()
  let at = 128 + table.length
  for (const [n, [name, bytes]] of tags.entries()) {
    const start = placed.get(bytes) ?? at
    if (!placed.has(bytes)) at += bytes.length
    placed.set(bytes, start)
    table.write(name, 4 + 12 * n, 'latin1')
    table.writeUInt32BE(start, 8 + 12 * n)
    table.writeUInt32BE(bytes.length, 12 + 12 * n)
  }
  return Buffer.concat([header(at), table, ...placed.keys()])
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(0x02100000, 8)
  bytes.write('mntrRGB XYZ ', 12, 'latin1')
  for (const [n, part] of [2026, 1, 1].entries()) bytes.writeUInt16BE(part, 24 + 2 * n)
  bytes.write('acsp', 36, 'latin1')
  coordinates(WHITE).copy(bytes, 68, 8)
  return bytes
}

/** A tag's data: its type, four octets of nothing, and the rest in whole words. */
function type(name: string, rest: Buffer): Buffer {
  const padding = Buffer.alloc((4 - (rest.length % 4)) % 4)
  return Buffer.concat([Buffer.from(name.padEnd(4), 'latin1'), Buffer.alloc(4), rest, padding])
}

function description(text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length + 1)
  // No text in Unicode or for Macintosh.
  return type('desc', Buffer.concat([length, Buffer.from(`${text}\0`, 'latin1'), Buffer.alloc(8 + 3 + 67)]))
}

function coordinates(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12)
  for (const [n, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65536), 4 * n)
  return type('XYZ', bytes)
}

function toneCurve(): Buffer {
  const bytes = Buffer.alloc(4 + 2 * POINTS)
  bytes.writeUInt32BE(POINTS)
  for (let n = 0; n < POINTS; n++) {
    const value = n / (POINTS - 1)
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    bytes.writeUInt16BE(Math.round(linear * 65535), 4 + 2 * n)
  }
  return type('curv', bytes)
}
