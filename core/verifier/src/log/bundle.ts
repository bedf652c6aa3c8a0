import { logErrors } from './errors.js'
import { TILE_WIDTH } from './tiles.js'

/** Octets of the longest entry. */
export const MAX_ENTRY_BYTES = 0xffff

const LENGTH_BYTES = 2

/** A bundle of 1 to 256 entries, each behind its length (C2SP tlog-tiles, "Log entries"). */
export function writeBundle(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0 || entries.length > TILE_WIDTH) throw new RangeError('A bundle has 1 to 256 entries')
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new RangeError('An entry has at most 65,535 octets')
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
    }),
  )
}

/** The entries of a bundle of this width; throws `logNotRead` with reason `bundle` where there are more or fewer. */
export function readBundle(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  let at = 0
  while (entries.length < width) {
    const [high, low] = bytes.subarray(at, at + LENGTH_BYTES)
    const start = at + LENGTH_BYTES
    if (high === undefined || low === undefined) throw malformed()
    at = start + high * 0x100 + low
    entries.push(bytes.subarray(start, at))
  }
  if (at !== bytes.length) throw malformed()
  return entries
}

/** The beginning of a bundle: its first entries, so many that `readBundle` reads them. Throws `logNotRead` where there are fewer. */
export function bundleStart(bytes: Uint8Array, width: number): Uint8Array {
  let end = 0
  for (let read = 0; read < width; read += 1) {
    const [high, low] = bytes.subarray(end, end + LENGTH_BYTES)
    if (high === undefined || low === undefined) throw malformed()
    end += LENGTH_BYTES + high * 0x100 + low
  }
  return bytes.subarray(0, end)
}

const malformed = () => logErrors.error('logNotRead', { reason: 'bundle' })
