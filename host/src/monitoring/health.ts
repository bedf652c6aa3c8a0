import type { ReadinessReport } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/** Serves `/healthz` (the process answers) and `/readyz` (it can also serve: no check fails, else 503). */
export function serveHealth(app: FastifyInstance, readiness: () => Promise<ReadinessReport>): void {
  const schema = { hide: true }
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema }, async (_request, reply) => {
    const { ready, checks } = await readiness()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks })
  })
}
