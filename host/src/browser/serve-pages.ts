import { anonymous, type WebPages } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { asRegistryError } from '../http/problem.js'
import type { Callers } from '../session/callers.js'
import { pageRequest, sendPage } from './page-request.js'

/** Serves the pages of a plugin; `callers` identifies who asks for them, as for the API. */
export function servePages(app: FastifyInstance, pages: WebPages, baseUrl: () => string, callers: Callers): void {
  for (const url of pages.files) {
    app.get(url, { schema: { hide: true } }, async (request, reply) =>
      sendPage(reply, await pages.answer(pageRequest(request, anonymous, baseUrl()))),
    )
  }
  if (pages.addresses.length === 0) return
  app.register(async (scope) => {
    scope.decorateRequest('caller')
    callers.prepare(scope)
    scope.addHook('onRequest', (request, _reply, done) => {
      request.caller = anonymous
      callers.identify(request, done)
    })
    scope.addHook('onSend', (request, reply, _payload, done) => callers.renew(request, reply, done))
    scope.setErrorHandler(async (thrown, request, reply) => {
      // Not known yet when the server itself refuses: a missing Host, no memory.
      request.caller ??= anonymous
      const error = asRegistryError(thrown)
      request.problemCode = error.code
      if (error.kind === 'unexpected') request.log.error({ err: error.cause ?? error }, 'unexpected error')
      return sendPage(reply, await pages.failure(pageRequest(request, request.caller, baseUrl()), error))
    })
    for (const url of pages.addresses) {
      scope.get(url, { schema: { hide: true } }, async (request, reply) =>
        sendPage(reply, await pages.answer(pageRequest(request, request.caller, baseUrl()))),
      )
    }
  })
}
