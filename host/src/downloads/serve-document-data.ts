import { Readable } from 'node:stream'
import { type ByteRange, originalErrors } from '@signed-registry/core'
import { type DocumentData, GetDocumentData } from '@signed-registry/core/documents'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serve } from '../http/serve-operations.js'

/** Serves `GET /api/{id}/data`: JSON as specified, or the bytes to clients that accept application/octet-stream. */
export const serveDocumentData: Serve = (registry) => {
  const getData = registry.get(GetDocumentData)
  return async (request, reply) => {
    const data = await getData.execute(request.caller, request.params as { id: string })
    // Caches must not serve one form to a client that wants the other.
    reply.header('vary', 'accept')
    return wantsBytes(request) ? sendBytes(request, reply, data) : sendJson(request, reply, data)
  }
}

const wantsBytes = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? '').split(',').some((type) => /^\s*application\/octet-stream\s*(;|$)/i.test(type))

async function sendBytes(request: FastifyRequest, reply: FastifyReply, data: DocumentData): Promise<FastifyReply> {
  const { size, tag, title, documentId } = data
  const etag = `"${tag}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', attachment(title || documentId))
    .type('application/octet-stream')
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  if (ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')) {
    return reply.code(304).send()
  }
  const wanted = ifRange === undefined || ifRange === etag ? requestedRange(range, size) : 'all'
  if (wanted === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw originalErrors.error('rangeNotSatisfiable', { size })
  }
  const part = wanted === 'all' ? { start: 0, end: size } : wanted
  if (wanted !== 'all') reply.code(206).header('content-range', `bytes ${part.start}-${part.end - 1}/${size}`)
  return send(request, reply, part.end - part.start, data.bytes(part))
}

async function sendJson(request: FastifyRequest, reply: FastifyReply, data: DocumentData): Promise<FastifyReply> {
  const { documentId, size } = data
  const before = Buffer.from(`{"documentId":${JSON.stringify(documentId)},"document":"`)
  const after = Buffer.from(`","signedDataSize":${size}}`)
  reply.type('application/json; charset=utf-8')
  const length = before.length + Math.ceil(size / 3) * 4 + after.length
  const document = base64(data.bytes())
  async function* json() {
    const first = await document.next()
    yield before
    if (!first.done) yield first.value
    yield* document
    yield after
  }
  return send(request, reply, length, json())
}

/** Sends bytes with a Content-Length, so that clients notice an incomplete download. */
async function send(
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

/** What a `Range` header asks for (RFC 9110, 14.2): everything, one range, or a range that cannot be satisfied. */
type RequestedRange = ByteRange | 'all' | 'unsatisfiable'

/** Parses a `Range` of bytes. Multiple ranges, other units and malformed ones are ignored, as the RFC allows. */
function requestedRange(header: string | undefined, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(Number(last) + 1, size)]
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** `Content-Disposition` of a download (RFC 6266): the file name, and an ASCII version of it for old clients. */
function attachment(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
