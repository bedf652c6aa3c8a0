import {
  containerSize,
  directoryOf,
  localRecord,
  recordBehind,
  type ZipEntry,
} from '@signed-registry/verifier/evidence'
import { BlockCutter, BlockWriter } from './block-writer.js'
import { chunksOf } from './chunks.js'
import { Piece } from './crc.js'

/** What is written while it is read. */
export interface Streamed {
  readonly size: number
  /** In order, as lists: what is at hand goes on at once. */
  pieces(): AsyncIterable<readonly Piece[]>
}

/** A file of a container: in memory, or streamed. */
export interface ZipFile {
  readonly name: string
  readonly content: Uint8Array | Streamed
}

/** A container, which may be a file of another. */
export interface Container extends Streamed {
  bytes(): AsyncIterable<Uint8Array>
}

/** A ZIP container with these files, in the one form that is read again. */
export function container(files: readonly ZipFile[]): Container {
  const pieces = () => piecesOf(files)
  return { size: containerSize(files.map(entryOf)), pieces, bytes: () => chunksOf(pieces()) }
}

/** Bytes of a source as a stream for `ZipFile`. */
export const streamed = (size: number, bytes: () => AsyncIterable<Uint8Array>): Streamed => ({
  size,
  async *pieces() {
    const cutter = new BlockCutter()
    for await (const chunk of bytes()) yield cutter.cut(chunk)
  },
})

async function* piecesOf(files: readonly ZipFile[]): AsyncGenerator<readonly Piece[]> {
  const written: ZipEntry[] = []
  for (const file of files) {
    const { content } = file
    if (content instanceof Uint8Array) {
      const piece = new Piece(content)
      const entry = { ...entryOf(file), crc: piece.crc }
      yield [new Piece(localRecord(entry)), piece]
      written.push(entry)
    } else {
      yield [new Piece(localRecord({ ...entryOf(file), crc: 0 }))]
      const blocks = new BlockWriter(content.size)
      for await (const pieces of content.pieces()) yield pieces.flatMap((piece) => blocks.take(piece))
      const entry = { ...entryOf(file), crc: blocks.crc }
      yield [...blocks.end(), new Piece(recordBehind(entry))]
      written.push(entry)
    }
  }
  yield [new Piece(directoryOf(written))]
}

const entryOf = ({ name, content }: ZipFile): Omit<ZipEntry, 'crc'> =>
  content instanceof Uint8Array
    ? { name, size: content.length, streamed: false }
    : { name, size: content.size, streamed: true }
