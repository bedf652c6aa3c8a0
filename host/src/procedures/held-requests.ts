import { pipeline } from 'node:stream/promises'
import type { HeldConnection, Ledger } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRegistryError, problemBody } from '../http/problem.js'
import { untilOver } from '../limits/shares.js'

/**
 * What goes over a connection while it is held: nothing, or a space every 15 seconds after a status of 200, for proxies that
 * cut what is silent. Refusals then come with that status too.
 */
export type HeldCallsMode = 'silent' | 'spaces'

const SPACE_MS = 15_000

/** Connections that an application holds. */
interface Held {
  readonly controllers: Set<AbortController>
  readonly mode: HeldCallsMode
  readonly ledger: Ledger
}

/** Lets every held connection go when the application closes: its clients ask again, and find another host. */
export function letGoOnClose(app: FastifyInstance, mode: HeldCallsMode, ledger: Ledger): void {
  const held: Held = { controllers: new Set(), mode, ledger }
  app.decorate('held', held)
  app.addHook('preClose', async () => {
    for (const controller of held.controllers) controller.abort()
  })
}

/**
 * Holds a request for as long as `work` takes: no time of the server cuts it. What fails without the client's fault closes
 * the connection without an answer, and so does a stop of the host: clients ask again then, and give up at an answer of 5xx.
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
  // A request that a test injects has no real socket.
  if ('setTimeout' in socket) socket.setTimeout(0)
  socket.once('close', gone)
  controllers.add(controller)
  exchanges.hold(request.raw)
  try {
    return await work({ signal, reading: () => exchanges.expectBody(request.raw) })
  } catch (error) {
    if (!signal.aborted && isTold(error)) throw error
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
 * As `hold`; where the host is set to it, spaces go before the answer, which `write` then gives. What it streams takes a
 * download of its caller's share, as all that is streamed.
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
    // None gets into what is streamed.
    clearInterval(spaces)
    if (answer === reply || !reply.raw.headersSent) return answer
    const written = write(answer as T)
    if (typeof written === 'string') {
      reply.raw.write(written)
      return reply
    }
    untilOver(request, reply, request.server.held.ledger.take('downloads', request.caller, 1))
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

/** White space that JSON may begin with. */
function space(reply: FastifyReply): void {
  if (!reply.raw.headersSent) beginByHand(reply, 'application/json; charset=utf-8')
  reply.raw.write(' ')
}

/** From here on everything is written by hand. */
export function beginByHand(reply: FastifyReply, type: string): void {
  reply.hijack()
  reply.header('content-type', type).header('x-accel-buffering', 'no')
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
}

/** True for what clients are answered: to ask again at once would not help where a share is taken. */
const isTold = (error: unknown): boolean =>
  error instanceof Error &&
  'kind' in error &&
  (('code' in error && error.code === 'serviceBusy') || (error.kind !== 'unavailable' && error.kind !== 'unexpected'))

declare module 'fastify' {
  interface FastifyInstance {
    /** What the application holds. */
    held: Held
  }
}
