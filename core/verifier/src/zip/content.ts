import { crc32 } from 'node:zlib'
import { type ByteSource, partOf, piecesOf } from '../byte-source.js'
import { notRead } from './errors.js'
import { inflated } from './inflated.js'
import type { ZippedFile } from './read-zip.js'

/** The octets of a file in a ZIP, a piece at a time; throws `fileNotRead` where they are not what its records say. */
export async function* contentOf(source: ByteSource, file: ZippedFile): AsyncGenerator<Uint8Array> {
  const stored = partOf(source, file.from, file.to - file.from)
  let size = 0
  let crc = 0
  for await (const piece of file.isDeflated ? inflatedOf(stored, file) : piecesOf(stored)) {
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

async function* inflatedOf(stored: ByteSource, { name }: ZippedFile): AsyncGenerator<Uint8Array> {
  const pieces = inflated(stored)
  for (;;) {
    const next = await pieces.next().catch(() => {
      throw notRead('contentBroken', name)
    })
    if (next.done) return
    yield next.value
  }
}
