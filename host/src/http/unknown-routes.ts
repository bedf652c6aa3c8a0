import { requestErrors } from '@signed-registry/core'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { ErrorsStatus } from '../error-status.js'
import { sendProblem } from './problem.js'

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Answers unknown routes of this scope, unless the application has a handler for them already. */
export function refuseUnknownRoutes(app: FastifyInstance, status: ErrorsStatus): void {
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, requestErrors.error('invalidRoute'), status))
}

/**
 * Collects the routes of this scope; call the returned function after the last one. It makes every path refuse the methods it
 * does not have, which would be unknown routes or match `/:id` (GET /api/exported is not a document named "exported").
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
      // A copy: adding the route below adds the refused methods to the original.
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
