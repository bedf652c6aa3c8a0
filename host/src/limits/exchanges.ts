import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Allowance, answerPace, type Pace } from './pace.js'
import { DRAINING, drain, hasRest, isDrained, LINGERING, readNoMore } from './rest-of-body.js'

/** The current request of each connection, and its answer. */
const current = new WeakMap<Socket, { readonly request: IncomingMessage; readonly answer: ServerResponse }>()

/**
 * Node destroys a connection after its last answer. While a body is still arriving this only half-closes it; its `Exchange`
 * closes it when the body is complete or takes too long.
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

/** True while the body of a request is arriving on a connection. */
export function isSending(socket: Socket): boolean {
  const latest = current.get(socket)
  return latest !== undefined && hasRest(latest.request)
}

/** The answer that a connection has pending or in transfer. */
export function answerUnderWay(socket: Socket): ServerResponse | undefined {
  const answer = current.get(socket)?.answer
  return answer?.closed === false ? answer : undefined
}

/** A request and its answer, until both have been transferred. */
class Exchange {
  readonly socket: Socket
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

  /** True when the whole request was received and the answer sent. */
  isOver(): boolean {
    return this.socket.destroyed || (this.request.complete && this.answer.closed)
  }

  /** True while its body is being received. */
  get isComing(): boolean {
    return !this.request.complete && !this.isHeld && !this.socket.destroyed
  }

  isInTime(now: number): boolean {
    return now <= this.lingersUntil && this.comesInTime(now) && this.isTakenInTime(now)
  }

  /** Handles the rest of a body after the answer: drains it, or stops reading. */
  linger(): void {
    const isRead = isDrained(this.request, this.answer)
    this.lingersUntil = performance.now() + Math.min(isRead ? DRAINING : LINGERING, this.pace.grace)
    if (isRead) drain(this.request)
    else readNoMore(this.request)
  }

  hold(): void {
    this.isHeld = true
  }

  /** Lets its answer say `Connection: close`, unless that has begun. */
  endConnection(): void {
    this.answer.shouldKeepAlive = false
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

  /** Created lazily: most bodies are complete before the first check. */
  private get allowance(): Allowance {
    this.body ??= new Allowance(this.pace, this.readBefore, this.beganAt)
    return this.body
  }

  private comesInTime(now: number): boolean {
    if (this.request.complete || this.isHeld) return true
    const isInTime = this.allowance.lasts(this.socket.bytesRead, now)
    // Bytes that wait in the buffer arrived in time: the host is the slow one.
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

const JUDGED_EVERY = 2000
/** Pipelined requests that may wait on one connection. */
const MAX_WAITING = 9

/**
 * The exchanges in progress, checked every few seconds: a connection is closed when a body arrives too slowly, an answer is
 * read too slowly, or a body goes on too long after its request was answered.
 */
export class Exchanges {
  private readonly underWay = new Set<Exchange>()
  private readonly ofRequests = new WeakMap<IncomingMessage, Exchange>()
  /** Pipelined requests of each connection that has one in progress. */
  private readonly waiting = new WeakMap<Socket, Array<() => void>>()
  private readonly ahead = new WeakSet<Socket>()
  /** True once the host is about to close. */
  isDraining = false
  private readonly timer: NodeJS.Timeout

  constructor(private readonly pace: Pace) {
    this.timer = setInterval(() => this.judge(), Math.min(JUDGED_EVERY, pace.grace / 2)).unref()
  }

  /** Passes requests to a server in turn; `close` as in `begin`. */
  listener(serve: RequestListener, close: (socket: Socket) => void): RequestListener {
    return (request, answer) => this.begin(request, answer, () => serve(request, answer), close)
  }

  /**
   * Calls `serve` when the earlier requests of the connection have been answered, as answers go out in order anyway. A
   * connection with too many pipelined requests is closed instead, after a call of `close`.
   */
  begin(request: IncomingMessage, answer: ServerResponse, serve: () => void, close?: (socket: Socket) => void): void {
    const { socket } = request
    // Injected requests have no connection, and those that `listener` passed on have begun.
    if (!(socket instanceof Socket) || this.ofRequests.has(request)) {
      serve()
      return
    }
    // Requests after `Connection: close` are not processed (RFC 9112, 9.6).
    if (socket.destroyed || socket.writableEnded) return
    const begin = () => {
      this.watch(request, answer)
      serve()
    }
    const waiting = this.waiting.get(socket)
    if (waiting !== undefined) this.ahead.add(socket)
    if (waiting === undefined) {
      this.waiting.set(socket, [])
      begin()
    } else if (waiting.length < MAX_WAITING) waiting.push(begin)
    else {
      close?.(socket)
      socket.destroy()
    }
  }

  /** Tracks an exchange until it is over, then begins the next one of its connection. */
  private watch(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request
    const exchange = new Exchange(request, answer, this.pace)
    this.underWay.add(exchange)
    this.ofRequests.set(request, exchange)
    if (this.isDraining) this.endConnectionOf(exchange)
    answer.once('close', () => {
      if (exchange.isOver()) this.underWay.delete(exchange)
      else exchange.linger()
      const isLast = socket.destroyed || socket.writableEnded
      const next = isLast ? undefined : this.waiting.get(socket)?.shift()
      if (next === undefined) this.waiting.delete(socket)
      else next()
    })
  }

  /** True when a request on this connection ever came before the one before it was answered (pipelining). */
  hasSentAhead(socket: Socket): boolean {
    return this.ahead.has(socket)
  }

  /** From now on every answer ends its connection, so that callers open the next one, at a host that stays. */
  drain(): void {
    this.isDraining = true
    for (const exchange of this.underWay) this.endConnectionOf(exchange)
  }

  /** A client that pipelines would lose the requests that it has already sent. */
  private endConnectionOf(exchange: Exchange): void {
    if (!this.hasSentAhead(exchange.socket)) exchange.endConnection()
  }

  /** True while more than one is in progress. */
  get hasOthers(): boolean {
    return [...this.underWay].filter((exchange) => !exchange.isOver()).length > 1
  }

  /** Aborts half of the requests whose bodies are arriving, the newest; answers how many. */
  shed(): number {
    const coming = [...this.underWay].filter(({ isComing }) => isComing)
    const ended = coming.slice(Math.floor(coming.length / 2))
    for (const exchange of ended) {
      exchange.end()
      this.underWay.delete(exchange)
    }
    return ended.length
  }

  /** Suspends the pace of a request whose body is not read yet. */
  hold(request: IncomingMessage): void {
    this.ofRequests.get(request)?.hold()
  }

  /** Resumes the pace of a held request, `times` as fast as that of others. */
  expectBody(request: IncomingMessage, times = 1): void {
    this.ofRequests.get(request)?.expectBody(times)
  }

  /** Leaves slow bodies little time. */
  hurry(): void {
    for (const exchange of this.underWay) exchange.hurry()
  }

  /** While a server closes, closes connections that never sent a request, once nothing has been in progress for a moment. */
  endConnections(server: Pick<Server, 'closeAllConnections' | 'once'>): void {
    let quiet = 0
    const timer = setInterval(() => {
      quiet = this.underWay.size === 0 ? quiet + 1 : 0
      if (quiet > 1) server.closeAllConnections()
    }, LINGERING / 2).unref()
    server.once('close', () => clearInterval(timer))
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private judge(): void {
    const now = performance.now()
    for (const exchange of this.underWay) {
      if (exchange.isOver()) this.underWay.delete(exchange)
      else if (!exchange.isInTime(now)) {
        exchange.end()
        this.underWay.delete(exchange)
      }
    }
  }
}

/** Gives a scope its exchanges, and ends them with it. */
export function keepPace(app: FastifyInstance, exchanges: Exchanges): void {
  app.decorate('exchanges', exchanges)
  app.addHook('preClose', async () => exchanges.hurry())
  app.addHook('onClose', async () => exchanges.stop())
}

declare module 'fastify' {
  interface FastifyInstance {
    exchanges: Exchanges
  }
}
