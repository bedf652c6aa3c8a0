import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Allowance, answerPace, type Pace } from './pace.js'

/** A request and its answer, until both are over. */
export class Exchange {
  private readonly socket: Socket
  private readonly beganAt = performance.now()
  private readonly readBefore: number
  private body: Allowance | undefined
  private isHeld = false
  private taken: Allowance | undefined
  private lingersUntil = Number.POSITIVE_INFINITY

  constructor(
    private readonly request: IncomingMessage,
    private readonly answer: ServerResponse,
    private readonly pace: Pace,
  ) {
    this.socket = request.socket
    this.readBefore = this.socket.bytesRead
    endAfterBody(request, answer)
  }

  /** True when the request has come as a whole, and is answered. */
  isOver(): boolean {
    return this.socket.destroyed || (this.request.complete && this.answer.closed)
  }

  /** True while its body is read. */
  get isComing(): boolean {
    return !this.request.complete && !this.isHeld && !this.socket.destroyed
  }

  isInTime(now: number): boolean {
    return now <= this.lingersUntil && this.comesInTime(now) && this.isTakenInTime(now)
  }

  /** Lets a body that nobody will read come to its end, or no further. */
  linger(): void {
    const isRead = isDrained(this.request, this.answer)
    this.lingersUntil = performance.now() + Math.min(isRead ? DRAINING : LINGERING, this.pace.grace)
    if (isRead) drain(this.request)
    else readNoMore(this.request)
  }

  hold(): void {
    this.isHeld = true
  }

  expectBody(times: number): void {
    this.isHeld = false
    const pace = { ...this.pace, bytesPerSecond: this.pace.bytesPerSecond * times }
    this.body = new Allowance(pace, this.socket.bytesRead, performance.now())
  }

  hurry(): void {
    const now = performance.now()
    this.allowance.hurry(now, LINGERING)
    if (this.lingersUntil < Number.POSITIVE_INFINITY) this.lingersUntil = Math.min(this.lingersUntil, now + LINGERING)
  }

  end(): void {
    this.request.destroy()
    this.socket.destroy()
  }

  /** Most bodies have come before anybody asks for it. */
  private get allowance(): Allowance {
    this.body ??= new Allowance(this.pace, this.readBefore, this.beganAt)
    return this.body
  }

  private comesInTime(now: number): boolean {
    if (this.request.complete || this.isHeld) return true
    const isInTime = this.allowance.lasts(this.socket.bytesRead, now)
    // What waits here unread was in time: it is the host that is slow.
    return isInTime || this.request.readableLength > 0
  }

  private isTakenInTime(now: number): boolean {
    const waiting = this.answer.writableLength
    if (waiting === 0 || this.answer.closed) {
      this.taken = undefined
      return true
    }
    const sent = this.socket.bytesWritten - this.socket.writableLength
    this.taken ??= new Allowance(answerPace(this.pace), sent, now, waiting)
    return this.taken.lasts(sent, now, waiting)
  }
}

/*
 * A client may still send a body when its request is answered: one that is too large, of a wrong type, at an address that is
 * not there. A connection that is closed with bytes unread is reset, and takes the answer with it (RFC 9112, 9.6). So the
 * rest of a body is read and thrown away, or left unread for a while, in which its client takes the answer; both are bounded.
 */

/** Milliseconds that a body may go on when nobody reads it any more, and that a slow one has when the host closes. */
export const LINGERING = 3000
/** The same where it is read and thrown away: 16 MiB take so long on a line of 4 Mbit/s. */
const DRAINING = 30_000
/** Bytes of a body that are read although nobody wants them, so that a client which reads no earlier gets its answer. */
const MAX_DRAINED = 16 * 2 ** 20
/** The same of those who are to come later. */
const DRAINED_OF_TOO_MANY = 64 * 1024
/** Milliseconds between two looks at how much that has been. */
const LOOKED_AT_EVERY = 50

/** True while some of a body has not come. */
const hasRest = ({ complete, headers }: IncomingMessage): boolean =>
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
function isDrained({ headers }: IncomingMessage, answer: Answer): boolean {
  const isForLater = answer.hasHeader('retry-after')
  const size = headers['content-length']
  if (size === undefined) return !isForLater
  return Number(size) <= (isForLater ? DRAINED_OF_TOO_MANY : MAX_DRAINED)
}

/** Reads the rest of a body, which may go on for ever when it says no size. */
function drain(request: IncomingMessage): void {
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
function readNoMore(request: IncomingMessage): void {
  request.socket.end()
  setImmediate(() => {
    request.pause()
    request.socket.pause()
  })
}

/** The request that each connection is at, and its answer. */
const current = new WeakMap<Socket, { readonly request: IncomingMessage; readonly answer: ServerResponse }>()

/**
 * Node destroys a connection behind its last answer. Where a body is still coming it only says from now on that nothing more
 * will be answered; what watches the request closes the connection when the body is over or takes too long.
 */
function endAfterBody(request: IncomingMessage, answer: ServerResponse): void {
  const { socket } = request
  const isKnown = current.has(socket)
  current.set(socket, { request, answer })
  if (isKnown) return
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (isSending(socket)) socket.end()
    else destroySoon()
  }
}

/** True while the body of a request is coming on a connection. */
export function isSending(socket: Socket): boolean {
  const latest = current.get(socket)
  return latest !== undefined && hasRest(latest.request)
}

/** The answer that a connection is to get, or gets, before any other. */
export function answerUnderWay(socket: Socket): ServerResponse | undefined {
  const answer = current.get(socket)?.answer
  return answer?.closed === false ? answer : undefined
}
