import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { JsonPace, type Ledger, requestErrors } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FASTER, type Pace } from '../limits/pace.js'
import { untilOver } from '../limits/shares.js'
import { type SpoolFolder, spooled } from '../limits/spooled-body.js'
import { FORM_REQUEST_BYTES, isForm } from './form.js'

/** Bytes of JSON that come without asking: most signatures, for which nobody should wait behind large ones. */
const SMALL = 32 * 1024
/** Bytes of JSON from which on that of strangers comes into a file first. */
const SPOOLED = 256 * 1024
/** The bytes, their text, what is parsed of it, and what is read of that. */
const TIMES = 4

/** Methods of requests whose bodies nobody reads. */
const UNREAD = new Set(['GET', 'HEAD'])

interface Uses {
  readonly ledger: Ledger
  readonly pace: JsonPace
}

/**
 * Lets requests with more JSON wait with it unread until there is memory for it, in turns of their callers, and its pace
 * allows it; what would be too large is refused at once. With a folder what strangers send comes into a file first, as long as
 * its disk has room: who sends slowly keeps no memory from others.
 */
export function waitForMemory(app: FastifyInstance, ledger: Ledger, { largeJson }: Pace, folder?: SpoolFolder): void {
  app.decorateRequest('formRequestIsRead')
  const uses: Uses = { ledger, pace: new JsonPace(largeJson, () => performance.now()) }
  const wait = (request: FastifyRequest, reply: FastifyReply, payload: Readable, done: Given) => {
    const limit = jsonLimit(request)
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return done(requestErrors.error('bodyTooLarge', { limit }))
    const bytes = jsonBytes(request)
    if (bytes <= SMALL) return done(null, payload)
    const body =
      folder !== undefined && isToSpool(request, bytes)
        ? comesByFile(request, reply, uses, { bytes, payload, folder })
        : comesInTurn(request, reply, uses, bytes).then(() => payload)
    body.then((stream) => done(null, stream), done)
  }
  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().some((method) => !UNREAD.has(method))
    if (isRead && route.schema?.consumes === undefined) route.preParsing = wait
  })
}

type Given = (error?: Error | null, payload?: Readable) => void

/** Of a form the original follows. */
const isToSpool = (request: FastifyRequest, bytes: number): boolean =>
  request.caller.kind === 'anonymous' && bytes > SPOOLED && !isForm(request)

async function comesByFile(
  request: FastifyRequest,
  reply: FastifyReply,
  uses: Uses,
  { bytes, payload, folder }: { bytes: number; payload: Readable; folder: SpoolFolder },
): Promise<Readable> {
  await unread(request, 1, async (signal) =>
    untilOver(request, reply, await uses.ledger.wait('spooledJson', request.caller, bytes, signal)),
  )
  const file = await spooled(payload, folder, bytes)
  try {
    await comesInTurn(request, reply, uses, bytes)
  } catch (error) {
    await file?.close()
    throw error
  }
  if (file === undefined) return payload
  const stream = file.createReadStream({ start: 0 })
  reply.raw.once('close', () => stream.destroy())
  return stream
}

async function comesInTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  { ledger, pace }: Uses,
  bytes: number,
): Promise<void> {
  await unread(request, FASTER, async (signal) => {
    const taken = await ledger.wait('memory', request.caller, TIMES * bytes, signal)
    untilOver(request, reply, taken)
    const delay = pace.delay(request.caller, bytes)
    if (delay > 0) await pause(delay, undefined, { signal, ref: false })
    request.formRequestIsRead = (length) => {
      if (length <= SMALL) taken.release()
      request.server.exchanges.expectBody(request.raw)
    }
  })
}

/** Lets a body wait until `work` is done, which ends with the connection; from then on it must come so many times as fast as others. */
async function unread(
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

/** Bytes of JSON that a request may have to be parsed of: as many as it declares, or else as its route takes. Originals are not parsed. */
export function jsonBytes(request: FastifyRequest): number {
  const { headers, routeOptions } = request
  if (routeOptions.schema?.consumes !== undefined) return 0
  const declared = Number(headers['content-length'])
  if (Number.isSafeInteger(declared))
    return Math.min(declared, isForm(request) ? FORM_REQUEST_BYTES : routeOptions.bodyLimit)
  return headers['transfer-encoding'] === undefined ? 0 : routeOptions.bodyLimit
}

/** Bytes that a body of JSON may have; those of other types are refused for that, or have limits of their own. */
export function jsonLimit({ headers, routeOptions: { schema, bodyLimit } }: FastifyRequest): number {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
  return isJson && schema?.consumes === undefined ? bodyLimit : Number.POSITIVE_INFINITY
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends what is asked for JSON when so many bytes of it have come in a form: the original that follows is streamed. */
    formRequestIsRead: ((length: number) => void) | undefined
  }
}
