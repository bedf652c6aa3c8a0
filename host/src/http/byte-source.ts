import type { IncomingMessage } from 'node:http'

/** Reads a request piece by piece; bytes that nobody asked for stay in it. */
export class ByteSource {
  /** Bytes handed out so far. */
  taken = 0
  private readonly chunks: AsyncIterator<Buffer>
  /** Bytes that arrived and were not handed out: a view of `room`, which doubles when it is full. */
  private held: Buffer = Buffer.alloc(0)
  private room: Buffer = Buffer.alloc(0)

  constructor(request: IncomingMessage) {
    // Destroying a request closes its socket, so it could no longer be answered.
    this.chunks = request.iterator({ destroyOnReturn: false })
  }

  /** The bytes before a delimiter, which is consumed too; `undefined` when it does not follow within `limit` bytes. */
  async upTo(mark: string, limit: number): Promise<Buffer | undefined> {
    for (let from = 0; ; ) {
      const at = this.held.indexOf(mark, from, 'latin1')
      if (at > limit) return undefined
      if (at >= 0) return this.give(at + mark.length).subarray(0, at)
      if (this.held.length >= limit + mark.length) return undefined
      from = Math.max(0, this.held.length - mark.length + 1)
      const { done, value } = await this.chunks.next()
      if (done) return undefined
      this.hold(value)
    }
  }

  /** The next `count` bytes, or fewer at the end of the body. */
  async *next(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.held.length === 0) {
        const { done, value } = await this.chunks.next()
        if (done) return
        this.held = value
      }
      const piece = this.give(Math.min(left, this.held.length))
      left -= piece.length
      yield piece
    }
  }

  private give(count: number): Buffer {
    const given = this.held.subarray(0, count)
    this.held = this.held.subarray(count)
    this.taken += count
    return given
  }

  private hold(chunk: Buffer): void {
    const { length } = this.held
    const isIn = this.held.buffer === this.room.buffer
    const start = isIn ? this.held.byteOffset - this.room.byteOffset : 0
    if (!isIn || start + length + chunk.length > this.room.length) {
      this.room = Buffer.allocUnsafeSlow((length + chunk.length) * 2)
      this.room.set(this.held)
      this.room.set(chunk, length)
      this.held = this.room.subarray(0, length + chunk.length)
    } else {
      this.room.set(chunk, start + length)
      this.held = this.room.subarray(start, start + length + chunk.length)
    }
  }
}
