/** A file of a ZIP; its name is ASCII. */
export interface ZippedFile {
  readonly name: string
  readonly content: Blob
}

const LOCAL = 30
const CENTRAL = 46
const END = 22
/** 1 January 1980. */
const DATE = 0x0021

const TABLE = Uint32Array.from({ length: 256 }, (_, octet) => {
  let crc = octet
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320
  return crc
})

/** A ZIP (APPNOTE 4.3) of files as they stand, less than 4 GiB in all: it has no ZIP64. */
export async function zipOf(files: readonly ZippedFile[]): Promise<Blob> {
  const parts: BlobPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const { name, content } of files) {
    const entry = { name: new TextEncoder().encode(name), size: content.size, crc: await crcOf(content), at }
    const local = record(LOCAL, 0x04034b50, 4, entry)
    parts.push(local, content)
    directory.push(record(CENTRAL, 0x02014b50, 6, entry))
    at += local.length + content.size
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = new DataView(new ArrayBuffer(END))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, files.length, true)
  end.setUint16(10, files.length, true)
  end.setUint32(12, size, true)
  end.setUint32(16, at, true)
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

interface Entry {
  readonly name: Uint8Array
  readonly size: number
  readonly crc: number
  readonly at: number
}

/** The record before a file, or in the directory: both say the same from `common` on. */
function record(
  length: number,
  magic: number,
  common: number,
  { name, size, crc, at }: Entry,
): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(length + name.length)
  const view = new DataView(octets.buffer)
  view.setUint32(0, magic, true)
  view.setUint16(4, 20, true)
  view.setUint16(common, 20, true)
  view.setUint16(common + 8, DATE, true)
  view.setUint32(common + 10, crc, true)
  view.setUint32(common + 14, size, true)
  view.setUint32(common + 18, size, true)
  view.setUint16(common + 22, name.length, true)
  if (length === CENTRAL) view.setUint32(42, at, true)
  octets.set(name, length)
  return octets
}

async function crcOf(content: Blob): Promise<number> {
  let crc = 0xffffffff
  const reader = content.stream().getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    for (const octet of piece.value) crc = (crc >>> 8) ^ (TABLE[(crc ^ octet) & 0xff] ?? 0)
  return ~crc >>> 0
}
