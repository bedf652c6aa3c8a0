import type { IncomingMessage } from 'node:http'

/*
 * A client may still be sending a body when its request is answered: it is too large, of a wrong type, or the route is unknown.
 * Closing a connection with unread bytes resets it, and the client may lose the answer (RFC 9112, 9.6). So the rest of the
 * body is drained, or left unread for a while, in which the client can read the answer; both are bounded.
 */

/** Milliseconds before a connection with an unread body is closed, and that a slow body has left when the host closes. */
export const LINGERING = 3000
/** The same for a body that is drained: 16 MiB take this long at 4 Mbit/s. */
export const DRAINING = 30_000
/** Bytes to drain at most, so that a client that reads only after sending gets its answer. */
const MAX_DRAINED = 16 * 2 ** 20
/** The same for clients that are told to retry later. */
const DRAINED_OF_TOO_MANY = 64 * 1024
/** Milliseconds between two checks of how much was drained. */
const LOOKED_AT_EVERY = 50

/** True while part of a body is missing. */
export const hasRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** The `Connection` header of an answer to a request whose body is still arriving; `undefined` for any other. */
export function connectionAfter(request: IncomingMessage, answer: Answer): 'keep-alive' | 'close' | undefined {
  if (!hasRest(request)) return undefined
  return request.headers['content-length'] !== undefined && isDrained(request, answer) ? 'keep-alive' : 'close'
}

/** An answer, of Node or of Fastify. */
interface Answer {
  hasHeader(name: string): boolean
}

/** True when the rest of a body is drained after the answer. */
export function isDrained({ headers }: IncomingMessage, answer: Answer): boolean {
  const isForLater = answer.hasHeader('retry-after')
  const size = headers['content-length']
  if (size === undefined) return !isForLater
  return Number(size) <= (isForLater ? DRAINED_OF_TOO_MANY : MAX_DRAINED)
}

/** Discards the rest of a body, which may be endless without a Content-Length. */
export function drain(request: IncomingMessage): void {
  const { socket } = request
  // A reader that is no longer interested, such as a form, would keep it from flowing.
  request.removeAllListeners('readable')
  process.nextTick(() => request.resume())
  const most = socket.bytesRead + MAX_DRAINED
  const timer = setInterval(() => {
    if (socket.bytesRead <= most) return
    clearInterval(timer)
    readNoMore(request)
  }, LOOKED_AT_EVERY).unref()
  request.once('close', () => {
    clearInterval(timer)
    if (socket.writableEnded) socket.destroy()
  })
}

/**
 * Leaves the rest of a body unread, and half-closes the connection. Node resumes an answered request by itself, so it can be
 * paused only after this turn of the event loop.
 */
export function readNoMore(request: IncomingMessage): void {
  request.socket.end()
  setImmediate(() => {
    request.pause()
    request.socket.pause()
  })
}
