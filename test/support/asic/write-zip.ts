import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a ZIP, and how its records lie. */
export interface ZipPart {
  readonly name: string
  readonly content: Buffer | string
  readonly deflated?: boolean
  /** Flags of the records, such as 1: encrypted. */
  readonly flags?: number
  readonly method?: number
  /** Its CRC-32 and sizes stand behind it. */
  readonly streamed?: boolean
  readonly extra?: Buffer
  /** What the records say instead of what is. */
  readonly says?: { readonly crc?: number; readonly size?: number; readonly localName?: string; readonly at?: number }
  /** Octets in front of its local header. */
  readonly before?: Buffer
}

/** A ZIP (APPNOTE 4.3) that may lie. */
export function zipOf(parts: readonly ZipPart[], { comment = '', behind = Buffer.alloc(0) } = {}): Buffer {
  const pieces: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  const add = (piece: Buffer) => {
    pieces.push(piece)
    at += piece.length
  }
  for (const part of parts) {
    const { name, deflated = false, flags = 0, streamed = false, extra = Buffer.alloc(0), says = {}, before } = part
    if (before !== undefined) add(before)
    const content = Buffer.from(part.content)
    const stored = deflated ? deflateRawSync(content) : content
    const numbers = [says.crc ?? crc32(content), stored.length, says.size ?? content.length]
    const common = { flags: flags | (streamed ? 8 : 0), method: part.method ?? (deflated ? 8 : 0) }
    const place = at
    add(record(0x04034b50, common, streamed ? [0, 0, 0] : numbers, says.localName ?? name, extra))
    add(stored)
    if (streamed) add(descriptor(numbers))
    central.push(centralRecord(common, numbers, name, says.at ?? place))
  }
  return Buffer.concat([...pieces, directoryOf(central, at, comment), Buffer.from(comment), behind])
}

/** The directory at a place, and the record at the end. */
export function directoryOf(central: readonly Buffer[], at: number, comment = ''): Buffer {
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([directory, end])
}

interface Common {
  readonly flags: number
  readonly method: number
}

/** The local header of a file. */
export function record(magic: number, common: Common, numbers: readonly number[], name: string, extra: Buffer): Buffer {
  const made = Buffer.alloc(30)
  made.writeUInt32LE(magic, 0)
  made.writeUInt16LE(20, 4)
  write(made, 6, common, numbers)
  made.writeUInt16LE(Buffer.byteLength(name), 26)
  made.writeUInt16LE(extra.length, 28)
  return Buffer.concat([made, Buffer.from(name), extra])
}

/** What the directory says of a file. */
export function centralRecord(common: Common, numbers: readonly number[], name: string, at: number): Buffer {
  const made = Buffer.alloc(46)
  made.writeUInt32LE(0x02014b50, 0)
  made.writeUInt16LE(20, 6)
  write(made, 8, common, numbers)
  made.writeUInt16LE(Buffer.byteLength(name), 28)
  made.writeUInt32LE(at, 42)
  return Buffer.concat([made, Buffer.from(name)])
}

/** Flags and method, time, CRC-32 and sizes. */
function write(
  made: Buffer,
  at: number,
  { flags, method }: Common,
  [crc = 0, packed = 0, size = 0]: readonly number[],
): void {
  made.writeUInt16LE(flags, at)
  made.writeUInt16LE(method, at + 2)
  made.writeUInt32LE(crc, at + 8)
  made.writeUInt32LE(packed, at + 12)
  made.writeUInt32LE(size, at + 16)
}

function descriptor([crc = 0, packed = 0, size = 0]: readonly number[]): Buffer {
  const made = Buffer.alloc(16)
  made.writeUInt32LE(0x08074b50, 0)
  made.writeUInt32LE(crc, 4)
  made.writeUInt32LE(packed, 8)
  made.writeUInt32LE(size, 12)
  return made
}
