import { type ByteSource, partOf } from '../byte-source.js'
import { evidenceErrors } from './errors.js'
import { requireFileNames } from './file-names.js'
import { contentOfBlocks } from './stored-blocks.js'
import { directoryOf, localRecord, placed, recordBehind, type ZipEntry } from './zip-form.js'

/** A file in a container. */
export interface ContainedFile {
  readonly name: string
  /** CRC-32 that its records say. */
  readonly crc: number
  /** Whether it is in blocks, as files are that are written while they are read. */
  readonly streamed: boolean
  readonly content: ByteSource
}

const MAX_FILES = 10_000
const MAX_DIRECTORY = 16 * 1024 * 1024
const END = 22
const CENTRAL = 46
const IN_ZIP64 = 0xffffffff
const MEDIA_TYPE_AT = 38
const MEDIA_TYPE_FILE = 'mimetype'

/** Whether a file begins as an ASiC container of this media type does (EN 319 162-1, A.1). */
export function isContainer(source: ByteSource, mediaType: string): boolean {
  const due = Buffer.from(mediaType)
  if (source.size < MEDIA_TYPE_AT + due.length) return false
  return isSame(
    source.read(MEDIA_TYPE_AT - 8, MEDIA_TYPE_AT + due.length),
    Buffer.from(`${MEDIA_TYPE_FILE}${mediaType}`),
  )
}

/**
 * The files of a container that is, octet by octet, in the form of `zip-form.ts`: nothing stands before, between or behind
 * its files. Their contents are not read yet. Throws `evidenceNotRead`.
 */
export function readContainer(source: ByteSource, mediaType: string): ContainedFile[] {
  if (!isContainer(source, mediaType)) throw notRead('notEvidence')
  const found = directoryIn(source)
  const entries = entriesOf(found.directory, found.count, source.size)
  requireFileNames(entries.map(({ name }) => name))
  const { entries: files, end } = placed(entries)
  const directory = directoryOf(entries)
  if (source.size !== end + directory.length || !isSame(source.read(end, source.size), directory))
    throw notRead('formChanged')
  if (files[0]?.size !== mediaType.length) throw notRead('formChanged', MEDIA_TYPE_FILE)
  return files.map((file) => {
    const { name, size, crc, streamed, at, contentAt, packed } = file
    const isInForm =
      isSame(source.read(at, contentAt), localRecord(file)) &&
      isSame(readBehind(source, contentAt + packed, file), recordBehind(file))
    if (!isInForm) throw notRead('formChanged', name)
    const content = partOf(source, contentAt, packed)
    return { name, crc, streamed, content: streamed ? contentOfBlocks(content, size) : content }
  })
}

const readBehind = (source: ByteSource, at: number, entry: ZipEntry): Uint8Array =>
  source.read(at, at + recordBehind(entry).length)

/** Where the directory is, by the record at the very end: a comment or anything else behind it is another form. */
function directoryIn(source: ByteSource): { directory: Buffer; count: number } {
  if (source.size < END) throw notRead('formChanged')
  const end = Buffer.from(source.read(source.size - END, source.size))
  if (end.readUInt32LE(0) !== 0x06054b50) throw notRead('formChanged')
  const short = { count: end.readUInt16LE(10), size: end.readUInt32LE(12), at: end.readUInt32LE(16) }
  const { count, size, at } = short.at === IN_ZIP64 || short.count === 0xffff ? longEnd(source) : short
  if (count > MAX_FILES || size > MAX_DIRECTORY) throw notRead('tooLarge')
  if (at + size > source.size) throw notRead('formChanged')
  return { directory: Buffer.from(source.read(at, at + size)), count }
}

const END_64 = 56
const LOCATOR_64 = 20

function longEnd(source: ByteSource): { count: number; size: number; at: number } {
  const begin = source.size - END - LOCATOR_64 - END_64
  if (begin < 0) throw notRead('formChanged')
  const record = Buffer.from(source.read(begin, begin + END_64))
  if (record.readUInt32LE(0) !== 0x06064b50) throw notRead('formChanged')
  return { count: long(record, 32), size: long(record, 40), at: long(record, 48) }
}

/** Only what the form is made of is taken; whether everything else is in the form is compared afterwards. */
function entriesOf(directory: Buffer, count: number, sourceSize: number): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw notRead('formChanged')
    const nameEnd = at + CENTRAL + directory.readUInt16LE(at + 28)
    const end = nameEnd + directory.readUInt16LE(at + 30)
    if (end > directory.length) throw notRead('formChanged')
    const name = nameOf(directory.subarray(at + CENTRAL, nameEnd))
    const short = directory.readUInt32LE(at + 24)
    if (short === IN_ZIP64 && end - nameEnd < 12) throw notRead('formChanged', name)
    const size = short === IN_ZIP64 ? long(directory, nameEnd + 4) : short
    if (size > sourceSize) throw notRead('formChanged', name)
    entries.push({ name, size, crc: directory.readUInt32LE(at + 16), streamed: directory.readUInt16LE(at + 10) !== 0 })
    at = end
  }
  return entries
}

function nameOf(octets: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch (cause) {
    throw evidenceErrors.error('evidenceNotRead', { reason: 'unsafeName' }, cause)
  }
}

/** A number of 64 bits; one that is too large for a file becomes one that is larger than any. */
const long = (record: Buffer, at: number): number => Number(record.readBigUInt64LE(at))

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

const notRead = (reason: string, file?: string) =>
  evidenceErrors.error('evidenceNotRead', { reason, ...(file !== undefined && { file }) })
