import { type ByteRange, originalErrors } from '@signed-registry/core'
import { type DocumentData, GetDocumentData } from '@signed-registry/core/documents'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serve } from '../http/serve-operations.js'
import { accepts, attachment, hasTag, sendBytes as send, sendBase64 } from './send-bytes.js'

/** Serves `GET /api/{id}/data`: JSON as specified, or the bytes to clients that accept application/octet-stream. */
export const serveDocumentData: Serve = (registry) => {
  const getData = registry.get(GetDocumentData)
  return async (request, reply) => {
    const data = await getData.execute(request.caller, request.params as { id: string })
    // Caches must not serve one form to a client that wants the other.
    reply.header('vary', 'accept')
    return accepts(request, ['application/octet-stream'])
      ? sendBytes(request, reply, data)
      : sendJson(request, reply, data)
  }
}

async function sendBytes(request: FastifyRequest, reply: FastifyReply, data: DocumentData): Promise<FastifyReply> {
  const { size, tag, title, documentId } = data
  const etag = `"${tag}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', attachment(title || documentId))
    .type('application/octet-stream')
  if (hasTag(request, etag)) return reply.code(304).send()
  const { range, 'if-range': ifRange } = request.headers
  const wanted = ifRange === undefined || ifRange === etag ? requestedRange(range, size) : 'all'
  if (wanted === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw originalErrors.error('rangeNotSatisfiable', { size })
  }
  const part = wanted === 'all' ? { start: 0, end: size } : wanted
  if (wanted !== 'all') reply.code(206).header('content-range', `bytes ${part.start}-${part.end - 1}/${size}`)
  return send(request, reply, part.end - part.start, data.bytes(part))
}

const sendJson = (request: FastifyRequest, reply: FastifyReply, data: DocumentData): Promise<FastifyReply> =>
  sendBase64(request, reply, {
    before: `{"documentId":${JSON.stringify(data.documentId)},"document":"`,
    size: data.size,
    bytes: data.bytes(),
    after: `","signedDataSize":${data.size}}`,
  })

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
