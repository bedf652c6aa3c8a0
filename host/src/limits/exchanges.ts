import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Allowance, answerPace, type Pace } from './pace.js'
import { DRAINING, drain, hasRest, isDrained, LINGERING, readNoMore } from './rest-of-body.js'

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

/** A request and its answer, until both are over. */
class Exchange {
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

const JUDGED_EVERY = 2000
/** Requests of a connection that may wait until the one before them is answered. */
const MAX_WAITING = 9

/**
 * The requests that are under way. Every few seconds each is looked at: connections end whose bodies come too slowly, however
 * much they have declared, whose answers are taken too slowly, or on which a body goes on after its request was answered.
 */
export class Exchanges {
  private readonly underWay = new Set<Exchange>()
  private readonly ofRequests = new WeakMap<IncomingMessage, Exchange>()
  /** What waits on each connection that has a request under way. */
  private readonly waiting = new WeakMap<Socket, Array<() => void>>()
  private readonly timer: NodeJS.Timeout

  constructor(private readonly pace: Pace) {
    this.timer = setInterval(() => this.judge(), Math.min(JUDGED_EVERY, pace.grace / 2)).unref()
  }

  /** Gives a server each of its requests when its turn comes; `close` as of `begin`. */
  listener(serve: RequestListener, close: (socket: Socket) => void): RequestListener {
    return (request, answer) => this.begin(request, answer, () => serve(request, answer), close)
  }

  /**
   * Calls back when the request is to be looked at: when those that came before it on its connection are answered, as
   * their answers go in order anyway. Never does where the connection has sent too many ahead, and is closed, which `close`
   * is told before.
   */
  begin(request: IncomingMessage, answer: ServerResponse, serve: () => void, close?: (socket: Socket) => void): void {
    const { socket } = request
    // Nobody waits for bytes of a request that did not come over a connection; what a server let begin has begun.
    if (!(socket instanceof Socket) || this.ofRequests.has(request)) {
      serve()
      return
    }
    // Nothing is done that comes behind a last answer (RFC 9112, 9.6).
    if (socket.destroyed || socket.writableEnded) return
    const begin = () => {
      this.watch(request, answer)
      serve()
    }
    const waiting = this.waiting.get(socket)
    if (waiting === undefined) {
      this.waiting.set(socket, [])
      begin()
    } else if (waiting.length < MAX_WAITING) waiting.push(begin)
    else {
      close?.(socket)
      socket.destroy()
    }
  }

  /** Looks at a request until it is over, then lets the next one of its connection begin. */
  private watch(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request
    const exchange = new Exchange(request, answer, this.pace)
    this.underWay.add(exchange)
    this.ofRequests.set(request, exchange)
    answer.once('close', () => {
      if (exchange.isOver()) this.underWay.delete(exchange)
      else exchange.linger()
      const isLast = socket.destroyed || socket.writableEnded
      const next = isLast ? undefined : this.waiting.get(socket)?.shift()
      if (next === undefined) this.waiting.delete(socket)
      else next()
    })
  }

  /** True while more than one is under way. */
  get hasOthers(): boolean {
    return this.underWay.size > 1
  }

  /** Ends half of the bodies that are coming, those that began last; answers how many. */
  shed(): number {
    const coming = [...this.underWay].filter(({ isComing }) => isComing)
    const ended = coming.slice(Math.floor(coming.length / 2))
    for (const exchange of ended) {
      exchange.end()
      this.underWay.delete(exchange)
    }
    return ended.length
  }

  /** Lets a request wait with its body until somebody wants it. */
  hold(request: IncomingMessage): void {
    this.ofRequests.get(request)?.hold()
  }

  /** From now on the body of a request that was held has to come in time; so many times as fast as others. */
  expectBody(request: IncomingMessage, times = 1): void {
    this.ofRequests.get(request)?.expectBody(times)
  }

  /** Gives slow bodies little time from now on. */
  hurry(): void {
    for (const exchange of this.underWay) exchange.hurry()
  }

  /** Ends the connections of a server that closes when nothing has been under way for a moment: such as those that never asked. */
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

/** Watches the pace of every request of this scope, unless that is done already. */
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
