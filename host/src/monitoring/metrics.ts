import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { addressTest } from '../mutual-tls/proxies.js'
import { measureRequests } from './requests.js'

const LOOPBACK = ['127.0.0.0/8', '::1']
/** Headers that proxies add: a request through a local proxy is not from this machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const

/**
 * Serves `/metrics` for Prometheus: process metrics and the duration of every request by method, route and status. Only this
 * machine and these addresses or networks may read them, directly; for anybody else the route does not exist.
 */
export function serveMetrics(app: FastifyInstance, metrics: Registry, addresses: readonly string[] = []): void {
  const mayRead = readers(addresses)
  collectDefaultMetrics({ register: metrics })
  measureRequests(app, metrics)
  app.get('/metrics', { schema: { hide: true }, config: { isProbe: true } }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound()
    return reply.header('content-type', metrics.contentType).send(await metrics.metrics())
  })
}

function readers(addresses: readonly string[]): (request: FastifyRequest) => boolean {
  const isListed = addressTest([...LOOPBACK, ...addresses])
  return ({ raw, headers }) =>
    isListed(raw.socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined)
}
