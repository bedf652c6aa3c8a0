import { requestErrors } from '@signed-registry/core'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { ErrorsStatus } from '../error-status.js'
import { sendProblem } from './problem.js'

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Answers addresses that this scope does not have, where nobody did so before. */
export function refuseUnknownRoutes(app: FastifyInstance, status: ErrorsStatus): void {
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, requestErrors.error('invalidRoute'), status))
}

/**
 * Watches the routes of this scope; call the answer when they are all there. It makes each of them refuse its other methods,
 * which would otherwise look like unknown routes, or fall to `/:id` (GET /api/exported is no document named "exported").
 */
export function watchMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    const here = known.get(url) ?? new Set()
    for (const one of [method].flat()) here.add(one)
    known.set(url, here)
  })
  return () => {
    for (const [url, here] of [...known]) {
      // As it is now: the route below adds the refused methods to what is known of this address.
      const allow = [...here]
      const others = methods.filter((method) => !allow.includes(method))
      app.route({
        method: others,
        url: url.slice(app.prefix.length) || '/',
        schema: { hide: true },
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow.join(', '))
          done(requestErrors.error('invalidMethod', { allow }))
        },
        handler: () => undefined,
      })
    }
  }
}
