import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId, type RegistryError, requestErrors } from '@signed-registry/core'
import type { ErrorsStatus } from '../error-status.js'
import { answerUnderWay, isSending } from '../limits/exchanges.js'
import { LINGERING } from '../limits/rest-of-body.js'
import { problemBody } from './problem.js'

/** Bytes that are discarded after the answer to a malformed request. */
const MAX_THROWN_AWAY = 2 ** 20

/** For answered connections that may still send: the count of bytes at which reading ends. */
const ends = new WeakMap<Duplex, number>()

/** Answers malformed HTTP, and heads that are too large or too slow. Node emits an error for each chunk that follows, too. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, status: ErrorsStatus): void {
  if (!(socket instanceof Socket) || error.code === 'ECONNRESET') {
    socket.destroy(error)
    return
  }
  const end = ends.get(socket)
  if (end !== undefined) {
    if (socket.bytesRead > end) socket.destroy()
    return
  }
  // A reader of the body learns only from the end of the connection that it broke off.
  if (isSending(socket)) {
    if (socket.writable && answerUnderWay(socket)?.headersSent !== true) answerUnread(socket, status)
    socket.destroy(error)
    return
  }
  ends.set(socket, socket.bytesRead + MAX_THROWN_AWAY)
  inTurn(socket, () => answerUnread(socket, status))
}

/** Answers after the earlier requests of a connection: nothing may be written into the middle of another answer. */
function inTurn(socket: Socket, answer: () => void): void {
  const before = answerUnderWay(socket)
  if (before !== undefined) before.once('close', () => inTurn(socket, answer))
  else if (socket.writable) answer()
}

const BAD_REQUEST = '400 Bad Request'

const answerUnread = (socket: Socket, status: ErrorsStatus) =>
  writeAnswer(socket, requestErrors.error('invalidHeaders'), status === 'always-200' ? '200 OK' : BAD_REQUEST)

/** Writes an answer to a connection without Fastify, and closes it when the client has had a moment to read it. */
function writeAnswer(socket: Socket, error: RegistryError, line: string): void {
  const body = problemBody(error, newId())
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  ends.set(socket, socket.bytesRead + MAX_THROWN_AWAY)
  const timer = setTimeout(() => socket.destroy(), LINGERING).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Answers what Node would answer without a body or not at all: CONNECT, and expectations other than `100-continue` (RFC 9110, 10.1.1). */
export function answerUnsupported(server: Server): void {
  server.on('checkExpectation', (request, answer) => server.emit('request', request, answer))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    // Never with 200, which would mean that the tunnel is open (RFC 9110, 9.3.6).
    if (socket instanceof Socket)
      inTurn(socket, () => writeAnswer(socket, requestErrors.error('invalidMethod'), BAD_REQUEST))
    socket.resume()
  })
}
