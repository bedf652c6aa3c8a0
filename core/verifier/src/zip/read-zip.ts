import type { ByteSource } from '../byte-source.js'
import { badNameAmong } from '../file-names.js'
import { type DirectoryEntry, IN_ZIP64, longNumbers, readDirectory } from './directory.js'
import { notRead } from './errors.js'

/** A file in a ZIP. */
export interface ZippedFile {
  readonly name: string
  readonly size: number
  readonly crc: number
  readonly isDeflated: boolean
  /** Where its octets stand, as they are stored. */
  readonly from: number
  readonly to: number
  /** Whether its local header has an extra field, as none may have that says what kind of file this is. */
  readonly hasExtra: boolean
}

const LOCAL = 30
const CRC_BEHIND = 0x0008
/** Nothing, deflated: so some write folders. */
const EMPTY = 2
/** Octets of all files, and how much more a large one may be than what is stored of it. */
const MAX_UNPACKED = 4 * 1024 * 1024 * 1024
const MAX_RATIO = 200
const LARGE = 16 * 1024 * 1024

/** Whether a file begins as a ZIP does. */
export const looksLikeZip = (source: ByteSource): boolean =>
  source.size >= 4 && Buffer.from(source.read(0, 4)).toString('latin1') === 'PK\u0003\u0004'

/**
 * The files of a ZIP, in the order in which they stand; folders are left out. Every reader finds the same: one file follows the
 * other from the beginning to the directory, and what stands before each is what the directory says. Throws `fileNotRead`.
 */
export function readZip(source: ByteSource): readonly ZippedFile[] {
  const { entries, at: end } = readDirectory(source)
  const ordered = [...entries].sort((one, other) => one.at - other.at)
  const files: ZippedFile[] = []
  let place = 0
  for (const [index, entry] of ordered.entries()) {
    if (entry.at !== place) throw notRead('formChanged', entry.name)
    const next = ordered[index + 1]?.at ?? end
    const file = localFile(source, entry, next)
    place = next
    if (!entry.isFolder) files.push(file)
    else if (entry.size > 0 || entry.packed > EMPTY) throw notRead('formChanged', entry.name)
  }
  if (place !== end) throw notRead('formChanged')
  const folders = ordered.flatMap(({ name, isFolder }) => (isFolder ? [name] : []))
  const bad = badNameAmong(
    files.map(({ name }) => name),
    folders,
  )
  if (bad !== undefined) throw notRead(bad.reason, bad.name)
  requireBounds(files)
  return files
}

function localFile(source: ByteSource, entry: DirectoryEntry, next: number): ZippedFile {
  const { name, rawName, flags, method, crc, packed, size, at } = entry
  if (at + LOCAL > next) throw notRead('formChanged', name)
  const head = Buffer.from(source.read(at, at + LOCAL))
  const nameLength = head.readUInt16LE(26)
  const extraLength = head.readUInt16LE(28)
  const from = at + LOCAL + nameLength + extraLength
  const to = from + packed
  const isSame =
    head.readUInt32LE(0) === 0x04034b50 &&
    head.readUInt16LE(6) === flags &&
    head.readUInt16LE(8) === method &&
    to <= next &&
    Buffer.compare(source.read(at + LOCAL, at + LOCAL + nameLength), rawName) === 0 &&
    (method === 8 || packed === size)
  if (!isSame) throw notRead('formChanged', name)
  const isBehind = (flags & CRC_BEHIND) !== 0
  const long = longNumbers(Buffer.from(source.read(from - extraLength, from)), name)
  const isKnown = [
    [22, size],
    [18, packed],
    [14, crc],
  ].every(([place = 0, due]) => {
    const short = head.readUInt32LE(place)
    const said = short === IN_ZIP64 && place > 14 ? long.shift() : short
    return said === due || (isBehind && said === 0)
  })
  if (!isKnown || !(isBehind ? isDescriptor(source.read(to, next), entry) : to === next))
    throw notRead('formChanged', name)
  return { name, size, crc, isDeflated: method === 8, from, to, hasExtra: extraLength > 0 }
}

/** What stands behind a file whose CRC-32 was not known before (4.3.9): with or without its signature, in 32 or 64 bits. */
function isDescriptor(octets: Uint8Array, { crc, packed, size }: DirectoryEntry): boolean {
  const record = Buffer.from(octets)
  const at = record.length === 16 || record.length === 24 ? 4 : 0
  if (at === 4 && record.readUInt32LE(0) !== 0x08074b50) return false
  const rest = record.subarray(at)
  if (rest.length === 12)
    return rest.readUInt32LE(0) === crc && rest.readUInt32LE(4) === packed && rest.readUInt32LE(8) === size
  if (rest.length !== 20) return false
  return (
    rest.readUInt32LE(0) === crc &&
    Number(rest.readBigUInt64LE(4)) === packed &&
    Number(rest.readBigUInt64LE(12)) === size
  )
}

function requireBounds(files: readonly ZippedFile[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED) throw notRead('tooLarge')
  const bomb = files.find(({ size, from, to }) => size > LARGE && size > (to - from) * MAX_RATIO)
  if (bomb !== undefined) throw notRead('inflatesTooMuch', bomb.name)
}
