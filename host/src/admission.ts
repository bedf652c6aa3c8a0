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

/** Probes and files of pages come in larger numbers, and cost little. */
const TIMES_MORE = 10

/**
 * What is asked first of every request that comes to a host: that the one before it on its connection is answered, that it names
 * its host (RFC 9112, 3.2; Node would say nothing), and that its address does not ask too often for what no scope counts by itself,
 * as the API and pages do: probes, files, the description. Whose a request is, the matched route says.
 */
export function admitAll(app: FastifyInstance, { anonymous: perMinute, holdMs }: RateSettings): void {
  const rates = new RequestRates({ anonymous: TIMES_MORE * perMinute, caller: 0 }, () => performance.now())
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

/** By whom callers of a scope are told, and what pages may call of it. */
export interface Admission {
  readonly callers: Callers
  readonly pages: CallingPages
}

/**
 * What is asked of every request to the API before anything of its body is looked at: which page it comes from, who calls and
 * how often, whether a page pretends to be its user, and whether there is such an address and such a body. Without `admission`
 * everybody is anonymous.
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
    // Only browsers say of which page they ask.
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

/** How addresses are written. Anything else is taken for an identifier with a mistake, and answered as one. */
const WORD = /^[a-z][A-Za-z]+$/

/**
 * Refuses a word after the prefix that can be no identifier (`/api/nowhere` is an address that is not there, and no document),
 * and bodies with a `Content-Encoding`: they are taken as they are (RFC 9110, 8.4, 12.5.3 and 15.5.16), since hashes and
 * signatures are over the bytes themselves, and nothing is unpacked for a stranger.
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
    /** Who asks: first argument of every use case. */
    caller: Caller
  }
}
