import { BLOCK, blockHeader } from '@signed-registry/verifier/evidence'
import { joinedCrc, Piece } from './crc.js'

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
  take(piece: Piece): Piece[] {
    const { bytes } = piece
    if (this.written + bytes.length > this.size) throw lengthDiffers(this.size)
    this.sum = joinedCrc(this.sum, piece.crc, bytes.length)
    const out: Piece[] = []
    for (let at = 0; at < bytes.length; ) {
      const inBlock = this.written % BLOCK
      if (inBlock === 0) out.push(this.header())
      const length = Math.min(BLOCK - inBlock, bytes.length - at)
      out.push(length === bytes.length ? piece : new Piece(bytes.subarray(at, at + length)))
      at += length
      this.written += length
    }
    return out
  }

  /** What stands behind the last piece: the one block of an empty content. */
  end(): Piece[] {
    if (this.written !== this.size) throw lengthDiffers(this.size)
    return this.size === 0 ? [this.header()] : []
  }

  private header(): Piece {
    const left = this.size - this.written
    return new Piece(blockHeader(Math.min(BLOCK, left), left <= BLOCK))
  }
}

/** Cuts what comes into pieces that end where blocks do, so that none has to be cut again. */
export class BlockCutter {
  private passed = 0

  cut(bytes: Uint8Array): Piece[] {
    const pieces: Piece[] = []
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(BLOCK - (this.passed % BLOCK), bytes.length - at)
      pieces.push(new Piece(bytes.subarray(at, at + length)))
      at += length
      this.passed += length
    }
    return pieces
  }
}

const lengthDiffers = (size: number) => new RangeError(`The original has another length than ${size} bytes`)
