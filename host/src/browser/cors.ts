import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, DELETE'
const HEADERS = 'content-type'
const PREFLIGHT_SECONDS = 600

/**
 * Lets pages of the listed origins (`https://portal.example`) call this scope from browsers. Nobody else's pages may:
 * without a listed origin no answer carries a CORS header, and the browser keeps it from the page.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', 'retry-after')
      return done()
    }
    reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send()
  })
}
