import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSafe, isStrange, type Origins } from './origins.js'

const HEADERS = 'content-type, idempotency-key'
const PREFLIGHT_SECONDS = 600

/** An address below a scope, with `:name` for what varies. */
interface Address {
  readonly method: string
  readonly path: string
}

/** Whose pages may call a scope from browsers. */
export interface CorsSettings extends Origins {
  /** Methods of the scope. */
  readonly methods: Iterable<string>
  /** What pages of every origin may call, as nobody. */
  readonly forAnybody: readonly Address[]
}

/**
 * Lets pages of other origins call this scope. Where neither the origin is listed nor the address is for anybody, no answer
 * carries a CORS header, and the browser keeps it from the page. Of a strange page that could change something no credentials
 * are looked at (`request.isOfStranger`), whatever the browser does with them. Gives a test of what is for anybody: it asks
 * for the route that was matched, since addresses are written in many ways.
 */
export function allowOrigins(
  app: FastifyInstance,
  { methods, forAnybody, ...origins }: CorsSettings,
): (request: FastifyRequest) => boolean {
  const listed = new Set(origins.listed)
  const all = [...new Set(methods)].join(', ')
  const open = new Map<string, string[]>()
  for (const { method, path } of forAnybody) {
    const url = `${app.prefix}${path}`
    open.set(url, [...(open.get(url) ?? []), method])
  }
  const openMethods = ({ routeOptions }: FastifyRequest): readonly string[] => open.get(routeOptions.url ?? '') ?? []
  const isOpen = (request: FastifyRequest): boolean => openMethods(request).includes(request.method)
  app.decorateRequest('isOfStranger', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'origin')
    const { origin, 'access-control-request-method': asked } = request.headers
    if (!isSafe(request) || isOpen(request)) request.isOfStranger = isStrange(request, origins)
    if (origin === undefined) return done()
    const isPreflight = request.method === 'OPTIONS' && asked !== undefined
    const isForAnybody = isPreflight ? openMethods(request).includes(asked) : isOpen(request)
    if (listed.has(origin))
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
    else if (isForAnybody && isStrange(request, origins)) reply.header('access-control-allow-origin', '*')
    else return done()
    if (!isPreflight) {
      reply.header('access-control-expose-headers', 'retry-after')
      return done()
    }
    reply
      .code(204)
      .header('access-control-allow-methods', listed.has(origin) ? all : openMethods(request).join(', '))
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send()
  })
  return isOpen
}

declare module 'fastify' {
  interface FastifyRequest {
    /** True where a page of an origin that is not listed calls what changes something, or what is for anybody. */
    isOfStranger: boolean
  }
}
