import type { FastifyInstance, FastifyRequest } from 'fastify'

const HEADERS = 'content-type, idempotency-key'
const PREFLIGHT_SECONDS = 600

/** An address below a scope, with `:name` for what varies. */
interface Address {
  readonly method: string
  readonly path: string
}

/** Whose pages may call a scope from browsers. */
export interface CorsSettings {
  /** Origins (`https://portal.example`) whose pages may call everything, with cookies. */
  readonly origins: readonly string[]
  /** Methods of the scope. */
  readonly methods: Iterable<string>
  /** What pages of every origin may call, as nobody. */
  readonly forAnybody: readonly Address[]
  /** Address of the service, whose pages come with cookies. */
  readonly baseUrl: () => string
}

/**
 * Lets pages of other origins call this scope. Where neither the origin is listed nor the address is for anybody, no answer
 * carries a CORS header, and the browser keeps it from the page. Of a page of a strange origin no cookie is looked at
 * (`request.isOfStranger`), whatever the browser does with cookies.
 */
export function allowOrigins(app: FastifyInstance, { origins, methods, forAnybody, baseUrl }: CorsSettings): void {
  const listed = new Set(origins)
  const all = [...new Set(methods)].join(', ')
  const open = forAnybody.map(({ method, path }) => ({ method, pattern: patternOf(`${app.prefix}${path}`) }))
  app.decorateRequest('isOfStranger', false)
  if (listed.size === 0 && open.length === 0) return
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'origin')
    const { origin, 'access-control-request-method': asked } = request.headers
    if (origin === undefined) return done()
    const isPreflight = request.method === 'OPTIONS' && asked !== undefined
    const [path = ''] = request.url.split('?')
    const open = openMethods(path)
    if (listed.has(origin))
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
    else if (open.includes(isPreflight ? asked : request.method) && !isOwn(request, origin, baseUrl())) {
      request.isOfStranger = true
      reply.header('access-control-allow-origin', '*')
    } else return done()
    if (!isPreflight) {
      reply.header('access-control-expose-headers', 'retry-after')
      return done()
    }
    reply
      .code(204)
      .header('access-control-allow-methods', listed.has(origin) ? all : open.join(', '))
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send()
  })

  function openMethods(path: string): string[] {
    return open.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : []))
  }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

/** A page of this service, also behind a proxy that ends TLS or changes `Host`: browsers say so, and no page can make them (Fetch Metadata). */
const isOwn = ({ headers, host }: FastifyRequest, origin: string, baseUrl: string): boolean =>
  headers['sec-fetch-site'] === 'same-origin' ||
  origin === new URL(baseUrl).origin ||
  (URL.canParse(origin) && new URL(origin).host === host)

declare module 'fastify' {
  interface FastifyRequest {
    /** True where a page of an origin that is not listed calls what is for anybody. */
    isOfStranger: boolean
  }
}
