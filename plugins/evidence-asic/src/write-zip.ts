import { crc32 } from 'node:zlib'
import {
  containerSize,
  directoryOf,
  localRecord,
  recordBehind,
  type ZipEntry,
} from '@signed-registry/verifier/evidence'
import { BlockWriter } from './block-writer.js'
import { chunksOf } from './chunks.js'

/** What is written while it is read. */
export interface Streamed {
  readonly size: number
  /** In order, as lists: what is at hand goes on at once. */
  pieces(): AsyncIterable<readonly Uint8Array[]>
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
    for await (const piece of bytes()) yield [piece]
  },
})

async function* piecesOf(files: readonly ZipFile[]): AsyncGenerator<readonly Uint8Array[]> {
  const written: ZipEntry[] = []
  for (const file of files) {
    const { content } = file
    if (content instanceof Uint8Array) {
      const entry = { ...entryOf(file), crc: crc32(content) }
      yield [localRecord(entry), content]
      written.push(entry)
    } else {
      yield [localRecord({ ...entryOf(file), crc: 0 })]
      const blocks = new BlockWriter(content.size)
      for await (const pieces of content.pieces()) yield pieces.flatMap((piece) => blocks.take(piece))
      const entry = { ...entryOf(file), crc: blocks.crc }
      yield [...blocks.end(), recordBehind(entry)]
      written.push(entry)
    }
  }
  yield [directoryOf(written)]
}

const entryOf = ({ name, content }: ZipFile): Omit<ZipEntry, 'crc'> =>
  content instanceof Uint8Array
    ? { name, size: content.length, streamed: false }
    : { name, size: content.size, streamed: true }
