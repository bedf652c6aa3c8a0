import { Readable } from 'node:stream'
import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { connectionAfter } from '../limits/rest-of-body.js'
import { LARGE_ANSWER, takeAnswer } from '../limits/shares.js'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** For answers that are not pages: nothing in them may run or be framed. A page that needs more sets its own policy. */
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
 * Makes every JSON answer of this scope safe inside `<script>` and sets `Connection`, unless the parent scope does. Our own host
 * also sends the request id, as the log has it, and security headers.
 */
export function finishAnswers(app: FastifyInstance, isHost = false): void {
  if (app.hasDecorator('finishesAnswers')) return
  app.decorate('finishesAnswers', true)
  app.addHook('onSend', (request, reply, payload, done) => {
    // Most requests were received as a whole.
    const after = request.raw.complete ? undefined : connectionAfter(request.raw, reply)
    // Fastify says `close` when a parser refused a body, even if the rest of it is drained.
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

/** Forbids caching of a scope's answers, since they depend on the caller, and counts the memory that they hold until they are sent. */
export function finishOwnAnswers(app: FastifyInstance, ledger: Pick<Ledger, 'charge' | 'take'>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (isHeld(payload)) takeAnswer(request, reply, payload, ledger)
    done()
  })
}

/** True for answers that stay in memory until the client has received them. */
const isHeld = (payload: unknown): payload is Readable | string | Buffer =>
  payload instanceof Readable ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LARGE_ANSWER)

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `finishAnswers`, so that a nested scope does not repeat it. */
    finishesAnswers: boolean
  }
}
