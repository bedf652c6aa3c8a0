import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether a client asks for one of these types by name. */
export const accepts = ({ headers }: FastifyRequest, types: readonly string[]): boolean =>
  (headers.accept ?? '').split(',').some((one) => types.includes(one.split(';')[0]?.trim().toLowerCase() ?? ''))

/** Browsers name it when they follow a link, and programs do not: Java's old client names `text/html` without being asked. */
const OF_LINKS = 'application/xhtml+xml'

/** Whether a browser follows a link, and so saves a file. */
export const isLink = (request: FastifyRequest): boolean => accepts(request, [OF_LINKS])

/** Whether a client has the bytes of this tag already (RFC 9110, 13.1.2). */
export const hasTag = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') ??
  false

/** Sends bytes with a Content-Length, so that clients notice an incomplete download. */
export async function sendBytes(
  { method }: FastifyRequest,
  reply: FastifyReply,
  length: number,
  bytes: AsyncGenerator<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  if (method === 'HEAD') return reply.header('content-length', length).send()
  const iterator = bytes[Symbol.asyncIterator]()
  // When the store fails at once, the client should get an error, not a truncated success.
  const first = await iterator.next()
  async function* all() {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return reply.header('content-length', length).send(Readable.from(all(), { objectMode: false }))
}

/** Bytes in the middle of a JSON text, in base64. */
export interface BytesInJson {
  readonly before: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly after: string
}

/** Sends JSON with bytes in base64, as a stream with a Content-Length. */
export async function sendBase64(
  request: FastifyRequest,
  reply: FastifyReply,
  json: BytesInJson,
): Promise<FastifyReply> {
  const before = Buffer.from(json.before)
  const after = Buffer.from(json.after)
  reply.type('application/json; charset=utf-8')
  const length = before.length + Math.ceil(json.size / 3) * 4 + after.length
  const text = base64(json.bytes)
  async function* all() {
    const first = await text.next()
    yield before
    if (!first.done) yield first.value
    yield* text
    yield after
  }
  return sendBytes(request, reply, length, all())
}

/** Base64 of a stream, three bytes at a time. */
async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk])
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    yield Buffer.from(all.toString('base64', 0, whole), 'latin1')
  }
  yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** `Content-Disposition` of a download (RFC 6266): the file name, and an ASCII version of it for old clients. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
