import { blocksSize } from './stored-blocks.js'

/** A file of a container, as its records say it. */
export interface ZipEntry {
  readonly name: string
  /** Octets of its content. */
  readonly size: number
  /** CRC-32 of its content. */
  readonly crc: number
  /**
   * Whether its CRC-32 stands behind it, so that it can be written before it is known: its content is in deflate blocks then,
   * since most readers of streams take no CRC-32 behind content that is stored as it is.
   */
  readonly streamed: boolean
}

/** Where a file and its content are. */
export interface PlacedEntry extends ZipEntry {
  readonly at: number
  readonly contentAt: number
  /** Octets of the content as it stands. */
  readonly packed: number
}

/** Octets in place of a number that needs ZIP64. */
const IN_ZIP64 = 0xffffffff
const LOCAL = 30
const CENTRAL = 46
const END = 22
const END_64 = 56
const LOCATOR_64 = 20
const MAX_ENTRIES_16 = 0xffff
/** 1 January 1980: the same state gives the same octets. */
const DATE = 0x0021
const UTF8 = 0x0800
const CRC_BEHIND = 0x0008

const isWide = ({ size, streamed }: Pick<ZipEntry, 'size' | 'streamed'>): boolean =>
  packedSize({ size, streamed }) >= IN_ZIP64

const packedSize = ({ size, streamed }: Pick<ZipEntry, 'size' | 'streamed'>): number =>
  streamed ? blocksSize(size) : size

/** The record before a file (APPNOTE 4.3.7). */
export function localRecord(entry: ZipEntry): Uint8Array {
  const name = Buffer.from(entry.name)
  const wide = isWide(entry)
  const known = entry.streamed ? 0 : 1
  const record = Buffer.alloc(LOCAL + name.length + (wide ? 20 : 0))
  record.writeUInt32LE(0x04034b50, 0)
  writeCommon(record, 4, entry, wide)
  record.writeUInt32LE(known * entry.crc, 14)
  record.writeUInt32LE(wide ? IN_ZIP64 : known * packedSize(entry), 18)
  record.writeUInt32LE(wide ? IN_ZIP64 : known * entry.size, 22)
  record.writeUInt16LE(name.length, 26)
  record.writeUInt16LE(wide ? 20 : 0, 28)
  name.copy(record, LOCAL)
  if (wide) writeZip64(record, LOCAL + name.length, [known * entry.size, known * packedSize(entry)])
  return record
}

/** The record behind a streamed file (APPNOTE 4.3.9); empty for others. */
export function recordBehind(entry: ZipEntry): Uint8Array {
  if (!entry.streamed) return new Uint8Array()
  const wide = isWide(entry)
  const record = Buffer.alloc(wide ? 24 : 16)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(entry.crc, 4)
  if (wide) {
    record.writeBigUInt64LE(BigInt(packedSize(entry)), 8)
    record.writeBigUInt64LE(BigInt(entry.size), 16)
  } else {
    record.writeUInt32LE(packedSize(entry), 8)
    record.writeUInt32LE(entry.size, 12)
  }
  return record
}

/** Where files are that stand one behind the other, and where the last ends. */
export function placed(entries: readonly ZipEntry[]): {
  readonly entries: readonly PlacedEntry[]
  readonly end: number
} {
  const all: PlacedEntry[] = []
  let at = 0
  for (const entry of entries) {
    const packed = packedSize(entry)
    const contentAt = at + localRecord(entry).length
    all.push({ ...entry, at, contentAt, packed })
    at = contentAt + packed + recordBehind(entry).length
  }
  return { entries: all, end: at }
}

/** The records behind all files: one for each, and the end (APPNOTE 4.3.12 to 4.3.16). */
export function directoryOf(given: readonly ZipEntry[]): Uint8Array {
  const { entries, end } = placed(given)
  const records = entries.map(centralRecord)
  const size = records.reduce((sum, { length }) => sum + length, 0)
  const wide = end >= IN_ZIP64 || size >= IN_ZIP64 || entries.length >= MAX_ENTRIES_16
  return Buffer.concat([...records, ...(wide ? endRecords64(entries.length, size, end) : []), endRecord()])

  function endRecord(): Uint8Array {
    const record = Buffer.alloc(END)
    record.writeUInt32LE(0x06054b50, 0)
    const count = wide ? MAX_ENTRIES_16 : entries.length
    record.writeUInt16LE(count, 8)
    record.writeUInt16LE(count, 10)
    record.writeUInt32LE(wide ? IN_ZIP64 : size, 12)
    record.writeUInt32LE(wide ? IN_ZIP64 : end, 16)
    return record
  }
}

/** Octets of a container with these files, whatever their CRC-32 is. */
export const containerSize = (entries: readonly Omit<ZipEntry, 'crc'>[]): number => {
  const all = entries.map((entry) => ({ ...entry, crc: 0 }))
  return placed(all).end + directoryOf(all).length
}

function centralRecord(entry: PlacedEntry): Uint8Array {
  const name = Buffer.from(entry.name)
  const sizes = isWide(entry) ? [entry.size, entry.packed] : []
  const extra = [...sizes, ...(entry.at >= IN_ZIP64 ? [entry.at] : [])]
  const record = Buffer.alloc(CENTRAL + name.length + (extra.length === 0 ? 0 : 4 + 8 * extra.length))
  record.writeUInt32LE(0x02014b50, 0)
  const wide = extra.length > 0
  record.writeUInt16LE(versionOf(wide), 4)
  writeCommon(record, 6, entry, wide)
  record.writeUInt32LE(entry.crc, 16)
  record.writeUInt32LE(sizes.length > 0 ? IN_ZIP64 : entry.packed, 20)
  record.writeUInt32LE(sizes.length > 0 ? IN_ZIP64 : entry.size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(wide ? 4 + 8 * extra.length : 0, 30)
  record.writeUInt32LE(entry.at >= IN_ZIP64 ? IN_ZIP64 : entry.at, 42)
  name.copy(record, CENTRAL)
  if (wide) writeZip64(record, CENTRAL + name.length, extra)
  return record
}

function endRecords64(count: number, size: number, end: number): Uint8Array[] {
  const record = Buffer.alloc(END_64)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(BigInt(END_64 - 12), 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(end), 48)
  const locator = Buffer.alloc(LOCATOR_64)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(end + size), 8)
  locator.writeUInt32LE(1, 16)
  return [record, locator]
}

/** The version of the format that a reader must know: 4.5 for ZIP64. */
const versionOf = (wide: boolean): number => (wide ? 45 : 20)

/** Version, flags, method and time, which both records of a file have. */
function writeCommon(record: Buffer, at: number, entry: ZipEntry, wide: boolean): void {
  const isAscii = /^[ -~]*$/.test(entry.name)
  record.writeUInt16LE(versionOf(wide), at)
  record.writeUInt16LE((isAscii ? 0 : UTF8) | (entry.streamed ? CRC_BEHIND : 0), at + 2)
  record.writeUInt16LE(entry.streamed ? 8 : 0, at + 4)
  record.writeUInt16LE(0, at + 6)
  record.writeUInt16LE(DATE, at + 8)
}

function writeZip64(record: Buffer, at: number, numbers: readonly number[]): void {
  record.writeUInt16LE(0x0001, at)
  record.writeUInt16LE(8 * numbers.length, at + 2)
  for (const [index, number] of numbers.entries()) record.writeBigUInt64LE(BigInt(number), at + 4 + 8 * index)
}
