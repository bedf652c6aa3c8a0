import { crc32 } from 'node:zlib'
import { type ByteSource, partOf, piecesOf } from '../byte-source.js'
import { notRead } from './errors.js'
import type { ZippedFile } from './read-zip.js'

/** The octets of a file in a ZIP, a piece at a time; throws `fileNotRead` where they are not what its records say. */
export async function* contentOf(source: ByteSource, file: ZippedFile): AsyncGenerator<Uint8Array> {
  const stored = partOf(source, file.from, file.to - file.from)
  let size = 0
  let crc = 0
  for await (const piece of file.isDeflated ? inflated(stored, file) : piecesOf(stored)) {
    size += piece.length
    if (size > file.size) throw notRead('inflatesTooMuch', file.name)
    crc = crc32(piece, crc)
    yield piece
  }
  if (size !== file.size || crc !== file.crc) throw notRead('contentBroken', file.name)
}

/** The octets of a small file; throws `fileNotRead` for one of more than `most`. */
export async function octetsOf(source: ByteSource, file: ZippedFile, most: number): Promise<Buffer> {
  if (file.size > most) throw notRead('tooLarge', file.name)
  const pieces: Uint8Array[] = []
  for await (const piece of contentOf(source, file)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* inflated(stored: ByteSource, { name }: ZippedFile): AsyncGenerator<Uint8Array> {
  const inflating = new DecompressionStream('deflate-raw')
  const writer = inflating.writable.getWriter()
  const reader: ReadableStreamDefaultReader<Uint8Array> = inflating.readable.getReader()
  // Its failure comes out of the reader.
  const writing = write(stored, writer).catch(() => undefined)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch {
    throw notRead('contentBroken', name)
  } finally {
    await reader.cancel().catch(() => undefined)
    await writing
  }
}

async function write(stored: ByteSource, writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>): Promise<void> {
  for (const piece of piecesOf(stored)) {
    await writer.ready
    await writer.write(Uint8Array.from(piece))
  }
  await writer.close()
}
