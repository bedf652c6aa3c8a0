import {
  anonymous,
  type Caller,
  ID_PATTERN,
  networkOf,
  type RateSettings,
  RequestRates,
  requestErrors,
} from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallingPages } from './browser/origins.js'
import { type Callers, clientAddress, HoldOff } from './session/callers.js'

/** Probes and the assets of pages are requested more often, and cost little. */
const TIMES_MORE = 10

/**
 * The first checks of every request: the one before it on its connection has been answered, it has a `Host` header (RFC 9112,
 * 3.2; Node would not answer with a problem), and its address stays within the rate for routes outside the API and the pages,
 * which have rates of their own: probes, assets, the description.
 */
export function admitAll(app: FastifyInstance, { anonymous: perMinute, holdMs, lenders }: RateSettings): void {
  const settings = { anonymous: TIMES_MORE * perMinute, caller: 0, lenders }
  const rates = new RequestRates(settings, () => performance.now(), 'other')
  const holdOff = new HoldOff(app, holdMs)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, server } = request
    server.exchanges.begin(raw, reply.raw, () => {
      if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
        return done(requestErrors.error('invalidHeaders', { expected: 'Host' }))
      if (server.hasRequestDecorator('caller')) return done()
      const address = networkOf(clientAddress(request))
      const count = () => rates.count({ kind: 'anonymous', address })
      holdOff.judge(request, count, (error) => done(error ?? unknownRoute(request)))
    })
  })
}

/** What identifies the callers of a scope, and what web pages may call in it. */
export interface Admission {
  readonly callers: Callers
  readonly pages: CallingPages
}

/**
 * Checks every request to the API before its body is read: the page it comes from, the caller and their rate, cross-site request
 * forgery, and whether the route exists and takes such a body. Without `admission` every caller is anonymous.
 */
export function admitCallers(app: FastifyInstance, admission: Admission | undefined): void {
  const identifiers = `${app.prefix}/:id`
  app.decorateRequest('caller')
  app.decorateRequest('isOfStranger', false)
  admission?.callers.prepare(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = anonymous
    if (admission === undefined) return done(unknownRoute(request) ?? refusal(request, reply, identifiers))
    const { callers, pages } = admission
    reply.header('vary', 'origin')
    // Only browsers say which page a request comes from.
    const { origin, 'sec-fetch-site': site } = request.headers
    const isOfPage = origin !== undefined || site !== undefined
    if (isOfPage && pages.answer(request, reply)) return
    callers.identify(request, (error) => {
      if (error !== undefined) done(error)
      else if (isOfPage && pages.isForged(request)) done(requestErrors.error('foreignOrigin'))
      else done(unknownRoute(request) ?? refusal(request, reply, identifiers))
    })
  })
  if (admission !== undefined)
    app.addHook('onSend', (request, reply, _payload, done) => admission.callers.renew(request, reply, done))
}

const unknownRoute = ({ is404 }: FastifyRequest): Error | undefined =>
  is404 ? requestErrors.error('invalidRoute') : undefined

/** How path segments of routes look. Anything else is taken for a mistyped identifier, and answered as one. */
const WORD = /^[a-z][A-Za-z]+$/

/**
 * Refuses a path segment that cannot be an identifier (`/api/nowhere` is an unknown route, not a document), and bodies with a
 * `Content-Encoding` (RFC 9110, 8.4, 12.5.3 and 15.5.16): hashes and signatures are over the bytes as sent, and decompressing
 * for anonymous callers invites compression bombs.
 */
function refusal(request: FastifyRequest, reply: FastifyReply, identifiers: string): Error | undefined {
  const { params, routeOptions, headers } = request
  if (routeOptions.url === identifiers) {
    const { id = '' }: { id?: string } = Object(params)
    if (WORD.test(id) && !ID_PATTERN.test(id))
      return requestErrors.error('invalidRoute', { problem: 'neither an address nor an identifier' })
  }
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (!hasBody || isPlain(headers['content-encoding'])) return undefined
  reply.header('accept-encoding', 'identity')
  return requestErrors.error('unsupportedMediaType', { expected: 'identity' })
}

const isPlain = (codings = ''): boolean =>
  codings.split(',').every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller: first argument of every operation. */
    caller: Caller
  }
}
