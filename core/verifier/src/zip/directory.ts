import type { ByteSource } from '../byte-source.js'
import { notRead } from './errors.js'

/** A file as the central directory of a ZIP says it (APPNOTE 4.3.12). */
export interface DirectoryEntry {
  readonly name: string
  readonly rawName: Uint8Array
  readonly flags: number
  /** 0: stored, 8: deflated. */
  readonly method: number
  readonly crc: number
  /** Octets as they stand. */
  readonly packed: number
  readonly size: number
  /** Where its local header is. */
  readonly at: number
  readonly isFolder: boolean
}

/** The entries of a ZIP, and where the directory begins. */
export interface ZipDirectory {
  readonly entries: readonly DirectoryEntry[]
  readonly at: number
}

const MAX_ENTRIES = 10_000
const MAX_DIRECTORY = 16 * 1024 * 1024
const MAX_COMMENT = 0xffff
const END = 22
const LOCATOR_64 = 20
const END_64 = 56
const CENTRAL = 46
export const IN_ZIP64 = 0xffffffff
const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075
const ENCRYPTED = 0x0041 | 0x2000
const DOS_FOLDER = 0x10
const DOS_VOLUME = 0x08
/** Kinds of files in Unix. */
const KIND = 0xf000
const REGULAR = 0x8000
const FOLDER = 0x4000

/** The central directory of a ZIP, which ends the file but for its own comment. Throws `fileNotRead`. */
export function readDirectory(source: ByteSource): ZipDirectory {
  const { at: end, count, size, from } = endRecord(source)
  if (count > MAX_ENTRIES || size > MAX_DIRECTORY) throw notRead('tooLarge')
  if (from + size !== end) throw notRead('formChanged')
  const directory = Buffer.from(source.read(from, from + size))
  const entries: DirectoryEntry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw notRead('formChanged')
    const nameEnd = at + CENTRAL + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const next = extraEnd + directory.readUInt16LE(at + 32)
    if (next > directory.length || directory.readUInt16LE(at + 34) !== 0) throw notRead('formChanged')
    entries.push(entryAt(directory.subarray(at, extraEnd), nameEnd - at))
    at = next
  }
  if (at !== directory.length) throw notRead('formChanged')
  return { entries, at: from }
}

function entryAt(record: Buffer, nameEnd: number): DirectoryEntry {
  const rawName = record.subarray(CENTRAL, nameEnd)
  const name = nameOf(rawName)
  const flags = record.readUInt16LE(8)
  if ((flags & ENCRYPTED) !== 0) throw notRead('encryptedEntry', name)
  const method = record.readUInt16LE(10)
  if (method !== 0 && method !== 8) throw notRead('compression', name)
  const long = longNumbers(record.subarray(nameEnd), name)
  const number = (at: number) => {
    const short = record.readUInt32LE(at)
    return short === IN_ZIP64 ? (long.shift() ?? fail(name)) : short
  }
  // In this order in the extra field (4.5.3): size, packed size, place.
  const size = number(24)
  const isFolder = name.endsWith('/')
  if (!isOfKind(record.readUInt32LE(38), isFolder)) throw notRead('formChanged', name)
  const rest = { packed: number(20), at: number(42), isFolder }
  return { name, rawName, flags, method, crc: record.readUInt32LE(16), size, ...rest }
}

/** Links, devices, volumes, and folders that are not called so are other things to some readers. */
function isOfKind(attributes: number, isFolder: boolean): boolean {
  const kind = (attributes >>> 16) & KIND
  if ((attributes & DOS_VOLUME) !== 0) return false
  return isFolder ? kind === 0 || kind === FOLDER : (kind === 0 || kind === REGULAR) && (attributes & DOS_FOLDER) === 0
}

/** The numbers of 64 bits of an extra field; a name of its own is refused, since only some readers take it. */
export function longNumbers(extra: Buffer, name: string): number[] {
  const numbers: number[] = []
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    if (at + 4 + length > extra.length || id === UNICODE_PATH) throw notRead('formChanged', name)
    if (id === ZIP64 && numbers.length > 0) throw notRead('formChanged', name)
    if (id === ZIP64)
      for (let one = at + 4; one + 8 <= at + 4 + length; one += 8) numbers.push(Number(extra.readBigUInt64LE(one)))
    at += 4 + length
  }
  return numbers
}

function nameOf(octets: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch {
    throw notRead('unsafeName')
  }
}

function fail(name: string): never {
  throw notRead('formChanged', name)
}

/** The record at the end (4.3.16), behind which nothing stands but the comment that it announces. */
function endRecord(source: ByteSource): { at: number; count: number; size: number; from: number } {
  const begin = Math.max(0, source.size - END - MAX_COMMENT)
  const tail = Buffer.from(source.read(begin, source.size))
  for (let at = tail.length - END; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50 || at + END + tail.readUInt16LE(at + 20) !== tail.length) continue
    const record = tail.subarray(at, at + END)
    if (record.readUInt16LE(4) !== 0 || record.readUInt16LE(6) !== 0) throw notRead('formChanged')
    // Readers that look for the record from the other side must find the same one.
    if (tail.indexOf(Buffer.from('504b0506', 'hex'), at + 4) !== -1) throw notRead('formChanged')
    const short = { count: record.readUInt16LE(10), size: record.readUInt32LE(12), from: record.readUInt32LE(16) }
    if (record.readUInt16LE(8) !== short.count) throw notRead('formChanged')
    const isLong = short.count === 0xffff || short.size === IN_ZIP64 || short.from === IN_ZIP64
    return isLong ? longEnd(source, begin + at, short) : { at: begin + at, ...short }
  }
  throw notRead('formChanged')
}

interface EndNumbers {
  readonly count: number
  readonly size: number
  readonly from: number
}

/** The record with numbers of 64 bits: readers that take those of the other one where they fit find the same. */
function longEnd(source: ByteSource, end: number, short: EndNumbers): EndNumbers & { readonly at: number } {
  const at = end - LOCATOR_64 - END_64
  if (at < 0) throw notRead('formChanged')
  const record = Buffer.from(source.read(at, end))
  const long = (place: number) => Number(record.readBigUInt64LE(place))
  const found = { count: long(32), size: long(40), from: long(48) }
  const isThere = record.readUInt32LE(0) === 0x06064b50 && record.readUInt32LE(END_64) === 0x07064b50
  const isOneDisk =
    record.readUInt32LE(16) === 0 &&
    record.readUInt32LE(20) === 0 &&
    long(24) === found.count &&
    record.readUInt32LE(END_64 + 4) === 0
  const isSame =
    (short.count === 0xffff || short.count === found.count) &&
    (short.size === IN_ZIP64 || short.size === found.size) &&
    (short.from === IN_ZIP64 || short.from === found.from)
  if (!isThere || !isOneDisk || !isSame || long(END_64 + 8) !== at) throw notRead('formChanged')
  return { at, ...found }
}
