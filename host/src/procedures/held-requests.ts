import { pipeline } from 'node:stream/promises'
import type { HeldConnection, Ledger } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRegistryError, problemBody } from '../http/problem.js'
import { releaseWhenOver } from '../limits/shares.js'

/**
 * What is sent while a request is held: nothing, or status 200 and a space every 15 seconds, for proxies that cut silent
 * connections. Refusals then have that status, too.
 */
export type HeldCallsMode = 'silent' | 'spaces'

const SPACE_MS = 15_000

/** The held requests of an application. */
interface Held {
  readonly controllers: Set<AbortController>
  readonly mode: HeldCallsMode
  readonly ledger: Ledger
}

/** Drops every held connection when the application closes: clients retry, and reach another host. */
export function dropHeldOnClose(app: FastifyInstance, mode: HeldCallsMode, ledger: Ledger): void {
  const held: Held = { controllers: new Set(), mode, ledger }
  app.decorate('held', held)
  app.addHook('preClose', async () => {
    for (const controller of held.controllers) controller.abort()
  })
}

/**
 * Holds a request for as long as `work` takes, without a timeout. A failure that is not the client's closes the connection
 * without an answer, and so does a stop of the host: clients retry then, but give up after a 5xx.
 */
export async function hold<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (connection: HeldConnection) => Promise<T>,
): Promise<T | FastifyReply> {
  const controller = new AbortController()
  const { signal } = controller
  const { socket } = request.raw
  const { controllers, ledger } = request.server.held
  const taken = ledger.take('heldCalls', request.caller, 1)
  const { exchanges } = request.server
  const gone = () => controller.abort()
  // A request injected by a test has no real socket.
  if ('setTimeout' in socket) socket.setTimeout(0)
  socket.once('close', gone)
  controllers.add(controller)
  exchanges.hold(request.raw)
  try {
    return await work({ signal, reading: () => exchanges.expectBody(request.raw) })
  } catch (error) {
    if (!signal.aborted && isForClient(error)) throw error
    if (!signal.aborted) request.log.warn({ err: error }, 'a held call was let go')
    reply.hijack()
    socket.destroy()
    return reply
  } finally {
    socket.off('close', gone)
    controllers.delete(controller)
    taken.release()
  }
}

/**
 * As `hold`; with `heldCalls: 'spaces'` spaces are sent before the answer, which `write` then gives. A streamed answer counts
 * as a download of its caller, like any stream.
 */
export async function holdWithSpaces<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (connection: HeldConnection) => Promise<T>,
  write: (answer: T) => string | AsyncIterable<Uint8Array>,
): Promise<T | FastifyReply> {
  if (request.server.held.mode === 'silent') return hold(request, reply, work)
  const spaces = setInterval(() => space(reply), SPACE_MS)
  try {
    const answer = await hold(request, reply, work)
    // No space may get into a stream.
    clearInterval(spaces)
    if (answer === reply || !reply.raw.headersSent) return answer
    const written = write(answer as T)
    if (typeof written === 'string') {
      reply.raw.write(written)
      return reply
    }
    releaseWhenOver(request, reply, request.server.held.ledger.take('downloads', request.caller, 1))
    await pipeline(written, reply.raw)
    return reply
  } catch (error) {
    if (!reply.raw.headersSent) throw error
    reply.raw.write(problemBody(asRegistryError(error), request.id))
    return reply
  } finally {
    clearInterval(spaces)
    if (reply.raw.headersSent && !reply.raw.writableEnded && !reply.raw.destroyed) reply.raw.end()
  }
}

/** White space, which JSON may begin with. */
function space(reply: FastifyReply): void {
  if (!reply.raw.headersSent) hijackReply(reply, 'application/json; charset=utf-8')
  reply.raw.write(' ')
}

/** Takes over the answer from Fastify: everything is written by hand from here on. */
export function hijackReply(reply: FastifyReply, type: string): void {
  reply.hijack()
  reply.header('content-type', type).header('x-accel-buffering', 'no')
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
}

/** True for errors that clients are told: retrying at once would not help when a share is used up. */
const isForClient = (error: unknown): boolean =>
  error instanceof Error &&
  'kind' in error &&
  (('code' in error && error.code === 'serviceBusy') || (error.kind !== 'unavailable' && error.kind !== 'unexpected'))

declare module 'fastify' {
  interface FastifyInstance {
    /** The held requests of the application. */
    held: Held
  }
}
