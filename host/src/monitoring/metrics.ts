import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client'
import { addressTest } from '../mutual-tls/proxies.js'

const LOOPBACK = ['127.0.0.0/8', '::1']
/** What proxies add: who asks one of them is not on this machine because it is. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const

/**
 * Serves `/metrics` for Prometheus: process figures and the duration of every request by method, route and status. This machine and
 * these addresses or networks may read them, by connections of their own; for everybody else there is nothing.
 */
export function serveMetrics(app: FastifyInstance, metrics: Registry, addresses: readonly string[] = []): void {
  const mayRead = readers(addresses)
  collectDefaultMetrics({ register: metrics })
  const duration = new Histogram({
    name: 'registry_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the address: identifiers as labels would never end.
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound()
    return reply.header('content-type', metrics.contentType).send(await metrics.metrics())
  })
}

function readers(addresses: readonly string[]): (request: FastifyRequest) => boolean {
  const isListed = addressTest([...LOOPBACK, ...addresses])
  return ({ raw, headers }) =>
    isListed(raw.socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined)
}
