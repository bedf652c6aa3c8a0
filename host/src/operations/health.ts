import type { FastifyInstance } from 'fastify'

/** What a check found: all is well, or the host serves but somebody should look. */
export type Readiness = 'ok' | 'stale'

/** Something without which the host cannot serve; rejects when it is not there. */
export type ReadinessCheck = () => Promise<Readiness>

/** Serves `/healthz` (the process answers) and `/readyz` (it can also serve: no check fails, else 503). */
export function serveHealth(app: FastifyInstance, checks: Readonly<Record<string, ReadinessCheck>>): void {
  const schema = { hide: true }
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema }, async (request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          return [name, await check()] as const
        } catch (err) {
          request.log.warn({ err, check: name }, 'not ready')
          return [name, 'failed'] as const
        }
      }),
    )
    const ready = results.every(([, result]) => result !== 'failed')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...Object.fromEntries(results) })
  })
}
