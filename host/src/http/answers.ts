import { Readable } from 'node:stream'
import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { connectionAfter } from '../limits/rest-of-body.js'
import { LARGE_ANSWER, takeAnswer } from '../limits/shares.js'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** For answers that are no pages: nothing in them may run or be framed. A page that needs more sets its own policy. */
const SECURITY_HEADERS = Object.entries({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

const unsafe = /[<>&\u2028\u2029]/g

/** JSON text that is safe inside `<script>`: `<`, `>`, `&`, U+2028 and U+2029 are written as `\uXXXX`. */
export const toSafeJson = (json: string): string =>
  json.replace(unsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Makes every JSON answer of this scope safe inside `<script>`, and says whether its connection serves on, unless the scope
 * around it does. A host of our own also names the request, as the log does, and tells browsers to be careful.
 */
export function finishAnswers(app: FastifyInstance, isHost = false): void {
  if (app.hasDecorator('finishesAnswers')) return
  app.decorate('finishesAnswers', true)
  app.addHook('onSend', (request, reply, payload, done) => {
    // Most requests have come as a whole.
    const after = request.raw.complete ? undefined : connectionAfter(request.raw, reply)
    // Fastify says `close` where a parser refused a body, whatever becomes of the rest.
    if (after === 'keep-alive') reply.removeHeader('connection')
    else if (after === 'close') reply.header('connection', 'close')
    if (isHost) introduce(request, reply)
    const isJson = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('application/json')
    done(null, isJson ? toSafeJson(payload) : payload)
  })
}

function introduce(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  for (const [name, value] of SECURITY_HEADERS) if (!reply.hasHeader(name)) reply.header(name, value)
  if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
}

/** Keeps the answers of a scope out of every cache, since they depend on who asks, and counts what they hold while they are taken. */
export function finishOwnAnswers(app: FastifyInstance, ledger: Pick<Ledger, 'charge' | 'take'>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (isHeld(payload)) takeAnswer(request, reply, payload, ledger)
    done()
  })
}

/** True for what waits here until it is taken. */
const isHeld = (payload: unknown): payload is Readable | string | Buffer =>
  payload instanceof Readable ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LARGE_ANSWER)

declare module 'fastify' {
  interface FastifyInstance {
    /** True where `finishAnswers` does its work. */
    finishesAnswers: boolean
  }
}
