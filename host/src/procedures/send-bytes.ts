import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Bytes from one client on their way to another. */
interface Bytes {
  readonly type?: string | undefined
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/** Sends bytes unchanged, as JSON if declared so, and never as anything that a browser would render as our page. */
export function sendBytes(reply: FastifyReply, { type = '', size, bytes }: Bytes): FastifyReply {
  const isJson = /^application\/json\b/i.test(type)
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(isJson ? 'application/json; charset=utf-8' : 'application/octet-stream')
    .send(Readable.from(bytes(), { objectMode: false }))
}
