import type { ByteSource } from '../byte-source.js'
import { evidenceErrors } from './errors.js'

/** Octets of content in a block: as many as one can have (RFC 1951, 3.2.4). */
export const BLOCK = 0xffff
const HEADER = 5

/** Octets of content in deflate blocks without compression. An empty content has one empty block. */
export const blocksSize = (size: number): number => size + HEADER * Math.max(1, Math.ceil(size / BLOCK))

/** What stands before a block's content: whether it is the last, its length, and the complement of that. */
export function blockHeader(length: number, isLast: boolean): Uint8Array {
  const header = Buffer.alloc(HEADER)
  header[0] = isLast ? 1 : 0
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(~length & 0xffff, 3)
  return header
}

/**
 * Content of `size` octets out of deflate blocks that hold it as it is (RFC 1951, 3.2.4), each full but the last. Reading
 * throws `evidenceNotRead` where a block is not in that form.
 */
export function contentOfBlocks(blocks: ByteSource, size: number): ByteSource {
  const count = Math.max(1, Math.ceil(size / BLOCK))
  const read = (from: number, to: number): Uint8Array => {
    const first = Math.min(Math.floor(from / BLOCK), count - 1)
    const end = Math.max(first + 1, Math.ceil(to / BLOCK))
    const raw = blocks.read(first * (HEADER + BLOCK), Math.min(end * (HEADER + BLOCK), blocks.size))
    const content = new Uint8Array(to - from)
    for (let index = first; index < end; index += 1) {
      const start = index * BLOCK
      const length = Math.min(BLOCK, size - start)
      const at = (index - first) * (HEADER + BLOCK)
      if (!hasHeader(raw, at, length, index === count - 1)) throw notInForm()
      const [begin, stop] = [Math.max(from, start), Math.min(to, start + length)]
      if (begin < stop) content.set(raw.subarray(at + HEADER + begin - start, at + HEADER + stop - start), begin - from)
    }
    return content
  }
  if (size === 0 && blocks.size >= HEADER) read(0, 0)
  return { size, read }
}

function hasHeader(raw: Uint8Array, at: number, length: number, isLast: boolean): boolean {
  const due = blockHeader(length, isLast)
  return due.every((octet, index) => raw[at + index] === octet)
}

const notInForm = () => evidenceErrors.error('evidenceNotRead', { reason: 'formChanged' })
