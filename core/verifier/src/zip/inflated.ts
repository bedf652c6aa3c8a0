import { type ByteSource, partOf, piecesOf, sourceOf } from '../byte-source.js'

/** Nothing, deflated, and an octet behind it. */
const WITH_MORE = Uint8Array.of(0x03, 0x00, 0x00)
let takesMore: Promise<boolean> | undefined

/** What was deflated (RFC 1951), a piece at a time; rejects for what is not, ends early, or has octets behind its end. */
export async function* inflated(stored: ByteSource): AsyncGenerator<Uint8Array> {
  yield* piecesInflated(stored)
  // Browsers and later versions of Node refuse it themselves.
  takesMore ??= isWhole(sourceOf(WITH_MORE))
  if ((await takesMore) && (await isWhole(partOf(stored, 0, stored.size - 1))))
    throw new TypeError('there is more behind the end')
}

async function isWhole(stored: ByteSource): Promise<boolean> {
  try {
    for await (const _ of piecesInflated(stored));
    return true
  } catch {
    return false
  }
}

async function* piecesInflated(stored: ByteSource): AsyncGenerator<Uint8Array> {
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
  } finally {
    await reader.cancel().catch(() => undefined)
    await writing
  }
}

async function write(stored: ByteSource, writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>): Promise<void> {
  try {
    for (const piece of piecesOf(stored)) {
      await writer.ready
      await writer.write(Uint8Array.from(piece))
    }
    await writer.close()
  } catch (error) {
    // Otherwise the reader would wait for more where the source fails.
    await writer.abort(error)
  }
}
