import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId, type RegistryError, requestErrors } from '@signed-registry/core'
import type { ErrorsStatus } from '../error-status.js'
import { answerUnderWay, isSending } from '../limits/exchanges.js'
import { LINGERING } from '../limits/rest-of-body.js'
import { problemBody } from './problem.js'

/** Bytes that are thrown away behind the answer to what is no request. */
const MAX_THROWN_AWAY = 2 ** 20

/** Where reading ends of connections that were answered and may still send. */
const ends = new WeakMap<Duplex, number>()

/** Answers bytes that are no HTTP request, or whose head is too large or too slow. Node tells of each piece that follows. */
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
  // Who reads the body of a request is told that it broke off by the end of the connection alone.
  if (isSending(socket)) {
    if (socket.writable && answerUnderWay(socket)?.headersSent !== true) answerUnread(socket, status)
    socket.destroy(error)
    return
  }
  ends.set(socket, socket.bytesRead + MAX_THROWN_AWAY)
  inTurn(socket, () => answerUnread(socket, status))
}

/** Answers when the requests that came before on a connection are answered: nothing is to get into the middle of an answer. */
function inTurn(socket: Socket, answer: () => void): void {
  const before = answerUnderWay(socket)
  if (before !== undefined) before.once('close', () => inTurn(socket, answer))
  else if (socket.writable) answer()
}

const BAD = '400 Bad Request'

const answerUnread = (socket: Socket, status: ErrorsStatus) =>
  answerBare(socket, requestErrors.error('invalidHeaders'), status === 'always-200' ? '200 OK' : BAD)

/** Answers a connection without what Fastify has, and closes it when its client has had a moment to take the answer. */
function answerBare(socket: Socket, error: RegistryError, line: string): void {
  const body = problemBody(error, newId())
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  ends.set(socket, socket.bytesRead + MAX_THROWN_AWAY)
  const timer = setTimeout(() => socket.destroy(), LINGERING).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Answers what Node would answer without a body, or not at all: other expectations than `100-continue` (RFC 9110, 10.1.1), and CONNECT. */
export function answerOddRequests(server: Server): void {
  server.on('checkExpectation', (request, answer) => server.emit('request', request, answer))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    // Never by 200, which would say that the tunnel is there (RFC 9110, 9.3.6).
    if (socket instanceof Socket) inTurn(socket, () => answerBare(socket, requestErrors.error('invalidMethod'), BAD))
    socket.resume()
  })
}
