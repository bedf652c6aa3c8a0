import { crc32 } from 'node:zlib'
import { BLOCK, blockHeader } from '@signed-registry/verifier/evidence'

/** Puts a content into full deflate blocks without compression (RFC 1951, 3.2.4), without copying it. */
export class BlockWriter {
  private written = 0
  private sum = 0

  constructor(private readonly size: number) {}

  /** CRC-32 of what was taken. */
  get crc(): number {
    return this.sum
  }

  /** The next piece of the content, with the headers of the blocks that begin in it. */
  take(piece: Uint8Array): Uint8Array[] {
    if (this.written + piece.length > this.size) throw lengthDiffers(this.size)
    this.sum = crc32(piece, this.sum)
    const out: Uint8Array[] = []
    for (let at = 0; at < piece.length; ) {
      const inBlock = this.written % BLOCK
      if (inBlock === 0) out.push(this.header())
      const length = Math.min(BLOCK - inBlock, piece.length - at)
      out.push(piece.subarray(at, at + length))
      at += length
      this.written += length
    }
    return out
  }

  /** What stands behind the last piece: the one block of an empty content. */
  end(): Uint8Array[] {
    if (this.written !== this.size) throw lengthDiffers(this.size)
    return this.size === 0 ? [this.header()] : []
  }

  private header(): Uint8Array {
    const left = this.size - this.written
    return blockHeader(Math.min(BLOCK, left), left <= BLOCK)
  }
}

const lengthDiffers = (size: number) => new RangeError(`The original has another length than ${size} bytes`)
