import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** Path parameters that are secrets: they open procedures, or unsubscribe from mails. */
const SECRETS = /:(?:qrId|appId|loginId|token)\b/
/** The same in unknown paths, which may be mistyped. */
const BEFORE_SECRETS = /\/(e?govQr)\/+(?:(app|egov)\/+)?[^/]+/i

/** The path of a URL without the secrets in it, for the log; `route` is its matched route, if any. */
export function pathOf(url: string, route?: string): string {
  if (route !== undefined && SECRETS.test(route)) return route.replace(SECRETS, '…')
  const [path = ''] = url.split('?', 1)
  const plain = decoded(path)
  return BEFORE_SECRETS.test(plain)
    ? plain.replace(BEFORE_SECRETS, (_, first, second) => `/${[first, second, '…'].filter(Boolean).join('/')}`)
    : path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.split('%', 1)[0] ?? ''
  }
}

/** One line for each answered request; of probes at `debug`. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const facts = {
      method: request.method,
      path: pathOf(request.url, request.routeOptions.url),
      status: reply.statusCode,
      code: request.problemCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
      traceId: request.requestTrace?.traceId,
    }
    // Probes come every few seconds, and say nothing while all is well.
    const level = request.routeOptions.config.isProbe && reply.statusCode < 400 ? 'debug' : 'info'
    request.log[level](facts, 'request')
    done()
  })
}

/** Measures the duration of every request by method, route and status. */
export function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const duration = new Histogram({
    name: 'registry_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The route, not the path: identifiers as labels would have unbounded cardinality.
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that monitoring requests every few seconds. */
    isProbe?: true
  }
}
