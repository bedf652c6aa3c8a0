import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Bytes that somebody sent, on their way to somebody else. */
interface Bytes {
  readonly type?: string | undefined
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/** Sends bytes as they are. What says that it is JSON is believed; nothing is ever a page of ours. */
export function sendBytes(reply: FastifyReply, { type = '', size, bytes }: Bytes): FastifyReply {
  const isJson = /^application\/json\b/i.test(type)
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(isJson ? 'application/json; charset=utf-8' : 'application/octet-stream')
    .send(Readable.from(bytes(), { objectMode: false }))
}
