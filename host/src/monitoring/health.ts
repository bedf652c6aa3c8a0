import { type ReadinessReport, requestErrors } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { retryAfter } from '../error-status.js'
import { problemOf } from '../http/problem.js'

/** What a host says that drains: nothing else is looked at. */
const STOPPING = { ready: false, checks: { host: 'stopping' } } as const

/**
 * Serves `/healthz` (the process answers) and `/readyz` (every check passes, and the host is not about to stop, else 503). A
 * failure is a problem with the checks added, and always has status 503, whatever `ERRORS_STATUS` says: load balancers go by it.
 */
export function serveHealth(app: FastifyInstance, readiness: () => Promise<ReadinessReport>): void {
  const options = { schema: { hide: true }, config: { isProbe: true } } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (request, reply) => {
    const { ready, checks } = app.exchanges.isDraining ? STOPPING : await readiness()
    if (ready) return { status: 'ready', ...checks }
    const error = requestErrors.error('notReady')
    request.problemCode = error.code
    return reply
      .code(503)
      .header('retry-after', String(retryAfter.unavailable))
      .send({ status: 'not ready', ...checks, ...problemOf(error, request.id) })
  })
}
