import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { JsonPace, type Ledger, requestErrors } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Pace, RESERVED_PACE_FACTOR } from '../limits/pace.js'
import { releaseWhenOver } from '../limits/shares.js'
import { type SpoolFolder, spooled } from '../limits/spooled-body.js'
import { FORM_REQUEST_BYTES, isForm } from './form.js'

/** JSON of this many bytes is read at once: most signatures are smaller, and must not queue behind large bodies. */
const SMALL_BYTES = 32 * 1024
/** Larger JSON from anonymous callers is spooled to a file first. */
const SPOOLED_FROM_BYTES = 256 * 1024
/** Memory for each byte of JSON: the bytes, their text, the parsed value, and what is decoded from it. */
const MEMORY_PER_BYTE = 4

/** Methods whose bodies are not read. */
const BODILESS_METHODS = new Set(['GET', 'HEAD'])

interface Uses {
  readonly ledger: Ledger
  readonly pace: JsonPace
}

/**
 * Leaves larger JSON unread until there is memory for it, with callers taking turns, and its pace allows it; JSON over the limit
 * is refused at once. With a folder, that of anonymous callers is spooled first while the disk has room, so that slow senders
 * hold no memory.
 */
export function waitForMemory(app: FastifyInstance, ledger: Ledger, { largeJson }: Pace, folder?: SpoolFolder): void {
  app.decorateRequest('formRequestIsRead')
  const uses: Uses = { ledger, pace: new JsonPace(largeJson, () => performance.now()) }
  const wait = (request: FastifyRequest, reply: FastifyReply, payload: Readable, done: Given) => {
    const limit = jsonLimit(request)
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return done(requestErrors.error('bodyTooLarge', { limit }))
    const bytes = jsonBytes(request)
    if (bytes <= SMALL_BYTES) return done(null, payload)
    const body =
      folder !== undefined && mustSpool(request, bytes)
        ? spoolBody(request, reply, uses, { bytes, payload, folder })
        : waitForTurn(request, reply, uses, bytes).then(() => payload)
    body.then((stream) => done(null, stream), done)
  }
  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().some((method) => !BODILESS_METHODS.has(method))
    if (isRead && route.schema?.consumes === undefined) route.preParsing = wait
  })
}

type Given = (error?: Error | null, payload?: Readable) => void

/** Forms are not spooled: the original follows in the same body. */
const mustSpool = (request: FastifyRequest, bytes: number): boolean =>
  request.caller.kind === 'anonymous' && bytes > SPOOLED_FROM_BYTES && !isForm(request)

async function spoolBody(
  request: FastifyRequest,
  reply: FastifyReply,
  uses: Uses,
  { bytes, payload, folder }: { bytes: number; payload: Readable; folder: SpoolFolder },
): Promise<Readable> {
  await holdBodyDuring(request, 1, async (signal) =>
    releaseWhenOver(request, reply, await uses.ledger.wait('spooledJson', request.caller, bytes, signal)),
  )
  const file = await spooled(payload, folder, bytes)
  try {
    await waitForTurn(request, reply, uses, bytes)
  } catch (error) {
    await file?.close()
    throw error
  }
  if (file === undefined) return payload
  const stream = file.createReadStream({ start: 0 })
  reply.raw.once('close', () => stream.destroy())
  return stream
}

async function waitForTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  { ledger, pace }: Uses,
  bytes: number,
): Promise<void> {
  await holdBodyDuring(request, RESERVED_PACE_FACTOR, async (signal) => {
    const taken = await ledger.wait('memory', request.caller, MEMORY_PER_BYTE * bytes, signal)
    releaseWhenOver(request, reply, taken)
    const delay = pace.delay(request.caller, bytes)
    if (delay > 0) await pause(delay, undefined, { signal, ref: false })
    request.formRequestIsRead = (length) => {
      if (length <= SMALL_BYTES) taken.release()
      request.server.exchanges.expectBody(request.raw)
    }
  })
}

/** Leaves a body unread until `work` is done, which a closed connection aborts; after that it must arrive `times` as fast as others. */
async function holdBodyDuring(
  request: FastifyRequest,
  times: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { exchanges } = request.server
  const { socket } = request.raw
  const waiting = new AbortController()
  const leave = () => waiting.abort(new Error('The connection is gone'))
  exchanges.hold(request.raw)
  socket.once('close', leave)
  try {
    await work(waiting.signal)
  } finally {
    socket.off('close', leave)
    exchanges.expectBody(request.raw, times)
  }
}

/** Bytes of JSON to parse at most: the declared length, or else the limit of the route. Originals are not parsed. */
export function jsonBytes(request: FastifyRequest): number {
  const { headers, routeOptions } = request
  if (routeOptions.schema?.consumes !== undefined) return 0
  const declared = Number(headers['content-length'])
  if (Number.isSafeInteger(declared))
    return Math.min(declared, isForm(request) ? FORM_REQUEST_BYTES : routeOptions.bodyLimit)
  return headers['transfer-encoding'] === undefined ? 0 : routeOptions.bodyLimit
}

/** Largest JSON body of a route; other types are refused as such, or have limits of their own. */
export function jsonLimit({ headers, routeOptions: { schema, bodyLimit } }: FastifyRequest): number {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
  return isJson && schema?.consumes === undefined ? bodyLimit : Number.POSITIVE_INFINITY
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Called when the JSON part of a form has been read: the original that follows is streamed, and needs no memory. */
    formRequestIsRead: ((length: number) => void) | undefined
  }
}
