/** Octets of the header: the number of binary pieces and the length of the JSON. */
const HEAD = 8
const MAX_PIECES = 10_000
/** Limit on the JSON of an answer, which has names and numbers only; parsing takes several times as much memory. */
export const MAX_TEXT_BYTES = 16 * 2 ** 20

/**
 * Encodes a message between the host and a worker process as chunks to write: a header with the length of each binary piece,
 * the message as JSON in which a number stands for each piece, and the pieces themselves, uncopied.
 */
export function encodeMessage(message: unknown): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  const json = JSON.stringify(withoutOctets(message, pieces))
  const text = Buffer.from(json)
  const head = Buffer.alloc(HEAD + 4 * pieces.length)
  head.writeUInt32BE(pieces.length, 0)
  head.writeUInt32BE(text.length, 4)
  for (const [n, piece] of pieces.entries()) head.writeUInt32BE(piece.length, HEAD + 4 * n)
  return [head, text, ...pieces]
}

/** Replaces binary pieces by their numbers. A replacer of `JSON.stringify` would come too late, after Buffer's toJSON. */
function withoutOctets(value: unknown, pieces: Uint8Array[]): unknown {
  if (value instanceof Uint8Array) return { octets: pieces.push(value) - 1 }
  if (Array.isArray(value)) return value.map((one) => withoutOctets(one, pieces))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutOctets(one, pieces)]))
}

/** Reads messages from a stream, each within `limits` and accepted by `isMessage`. */
export class MessageReader<Message> {
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(
    stream: AsyncIterable<Buffer>,
    private readonly limits: { /** Of the message with its pieces. */ readonly octets: number; readonly text: number },
    private readonly isMessage: (read: unknown) => read is Message,
  ) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** The next message; `undefined` if the stream ends before it is complete. Rejects a malformed or too large message. */
  async next(): Promise<Message | undefined> {
    const head = await this.take(HEAD)
    if (head === undefined) return undefined
    const [count, length] = [head.readUInt32BE(0), head.readUInt32BE(4)]
    if (count > MAX_PIECES) throw new RangeError('A message has too many pieces')
    const lengths = await this.take(4 * count)
    if (lengths === undefined) return undefined
    const sizes = Array.from({ length: count }, (_, n) => lengths.readUInt32BE(4 * n))
    const size = sizes.reduce((sum, one) => sum + one, length)
    if (length > this.limits.text || size > this.limits.octets) throw new RangeError('A message is too large')
    const text = await this.take(length)
    const pieces: Buffer[] = []
    for (const size of sizes) {
      const piece = await this.take(size)
      if (piece === undefined) return undefined
      pieces.push(piece)
    }
    if (text === undefined) return undefined
    const read: unknown = JSON.parse(text.toString(), (_, value: unknown) => octetsOf(value, pieces) ?? value)
    if (!this.isMessage(read)) throw new TypeError('This is no message')
    return read
  }

  private async take(length: number): Promise<Buffer | undefined> {
    const taken = Buffer.allocUnsafeSlow(length)
    for (let at = 0; at < length; ) {
      if (this.rest.length === 0) {
        const { done, value } = await this.chunks.next()
        if (done) return undefined
        this.rest = value
      }
      const copied = this.rest.copy(taken, at)
      this.rest = this.rest.subarray(copied)
      at += copied
    }
    return taken
  }
}

function octetsOf(value: unknown, pieces: readonly Buffer[]): Buffer | undefined {
  if (typeof value !== 'object' || value === null || !('octets' in value)) return undefined
  return pieces[Number(value.octets)]
}
