import { setTimeout as pause } from 'node:timers/promises'
import { type Ledger, requestErrors } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonBytes, jsonLimit } from '../http/json-bytes.js'
import { JsonPace } from './json-pace.js'
import { FASTER, type Pace } from './pace.js'
import { untilOver } from './until-over.js'

/** Bytes of JSON that come without asking: most signatures, for which nobody should wait behind large ones. */
const SMALL = 32 * 1024
/** The bytes, their text, what is parsed of it, and what is read of that. */
const TIMES = 4

/**
 * Lets requests with more JSON wait with it unread until there is memory for it, in turns of their callers, and its pace
 * allows it; what would be too large is refused at once.
 */
export function waitForMemory(app: FastifyInstance, ledger: Ledger, { largeJson }: Pace): void {
  app.decorateRequest('formRequestIsRead')
  const pace = new JsonPace(largeJson, () => performance.now())
  app.addHook('preParsing', (request, reply, payload, done) => {
    const limit = jsonLimit(request)
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return done(requestErrors.error('bodyTooLarge', { limit }))
    const bytes = jsonBytes(request)
    if (bytes <= SMALL) return done(null, payload)
    comesInTurn(request, reply, { ledger, pace }, bytes).then(() => done(null, payload), done)
  })
}

async function comesInTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  { ledger, pace }: { ledger: Ledger; pace: JsonPace },
  bytes: number,
): Promise<void> {
  const { exchanges } = request.server
  const { socket } = request.raw
  const waiting = new AbortController()
  const leave = () => waiting.abort(new Error('The connection is gone'))
  exchanges.hold(request.raw)
  socket.once('close', leave)
  try {
    const taken = await ledger.wait('memory', request.caller, TIMES * bytes, waiting.signal)
    untilOver(request, reply, taken)
    const delay = pace.delay(request.caller, bytes)
    if (delay > 0) await pause(delay, undefined, { signal: waiting.signal, ref: false })
    request.formRequestIsRead = (length) => {
      if (length <= SMALL) taken.release()
      exchanges.expectBody(request.raw)
    }
  } finally {
    socket.off('close', leave)
    exchanges.expectBody(request.raw, FASTER)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends what is asked for JSON when so many bytes of it have come in a form: the original that follows is streamed. */
    formRequestIsRead: ((length: number) => void) | undefined
  }
}
