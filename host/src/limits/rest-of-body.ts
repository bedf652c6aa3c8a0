import type { IncomingMessage } from 'node:http'

/*
 * A client may still send a body when its request is answered: one that is too large, of a wrong type, at an address that is
 * not there. A connection that is closed with bytes unread is reset, and takes the answer with it (RFC 9112, 9.6). So the
 * rest of a body is read and thrown away, or left unread for a while, in which its client takes the answer; both are bounded.
 */

/** Milliseconds that a body may go on when nobody reads it any more, and that a slow one has when the host closes. */
export const LINGERING = 3000
/** The same where it is read and thrown away: 16 MiB take so long on a line of 4 Mbit/s. */
export const DRAINING = 30_000
/** Bytes of a body that are read although nobody wants them, so that a client which reads no earlier gets its answer. */
const MAX_DRAINED = 16 * 2 ** 20
/** The same of those who are to come later. */
const DRAINED_OF_TOO_MANY = 64 * 1024
/** Milliseconds between two looks at how much that has been. */
const LOOKED_AT_EVERY = 50

/** True while some of a body has not come. */
export const hasRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Where a body is still coming: whether its connection serves on behind the answer, as the head of that has to say. */
export function connectionAfter(request: IncomingMessage, answer: Answer): 'keep-alive' | 'close' | undefined {
  if (!hasRest(request)) return undefined
  return request.headers['content-length'] !== undefined && isDrained(request, answer) ? 'keep-alive' : 'close'
}

/** An answer, or what will be one. */
interface Answer {
  hasHeader(name: string): boolean
}

/** True where the rest of a body is read behind its answer. */
export function isDrained({ headers }: IncomingMessage, answer: Answer): boolean {
  const isForLater = answer.hasHeader('retry-after')
  const size = headers['content-length']
  if (size === undefined) return !isForLater
  return Number(size) <= (isForLater ? DRAINED_OF_TOO_MANY : MAX_DRAINED)
}

/** Reads the rest of a body, which may go on for ever when it says no size. */
export function drain(request: IncomingMessage): void {
  const { socket } = request
  // Who read it until now, such as a form, does no more, and would keep it from flowing.
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
 * Leaves the rest of a body unread, and says that the connection serves nothing more. Node reads on to the end of a request
 * that is answered: after this turn of the loop, not before, it can be told to stop.
 */
export function readNoMore(request: IncomingMessage): void {
  request.socket.end()
  setImmediate(() => {
    request.pause()
    request.socket.pause()
  })
}
