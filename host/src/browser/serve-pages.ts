import { anonymous, type PageAnswer, type PageRequest, type WebPages } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRegistryError } from '../http/problem.js'
import type { Callers } from '../session/callers.js'
import { isHttps } from '../session/cookies.js'

/** Serves the pages of a plugin; `callers` identifies who asks for them, as for the API. */
export function servePages(app: FastifyInstance, pages: WebPages, baseUrl: () => string, callers: Callers): void {
  const pageRequest = (request: FastifyRequest, caller: PageRequest['caller']): PageRequest => {
    const { routeOptions, params, url, headers } = request
    return {
      address: routeOptions.url ?? '',
      params: Object.fromEntries(Object.entries(Object(params)).map(([name, value]) => [name, String(value)])),
      url,
      isHttps: isHttps(request, baseUrl()),
      caller,
      header(name) {
        const value = headers[name]
        return typeof value === 'string' ? value : undefined
      },
    }
  }
  for (const url of pages.files) {
    app.get(url, { schema: { hide: true } }, async (request, reply) =>
      send(reply, await pages.answer(pageRequest(request, anonymous))),
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
      return send(reply, await pages.failure(pageRequest(request, request.caller), error))
    })
    for (const url of pages.addresses) {
      scope.get(url, { schema: { hide: true } }, async (request, reply) =>
        send(reply, await pages.answer(pageRequest(request, request.caller))),
      )
    }
  })
}

const send = (reply: FastifyReply, { status, headers, body }: PageAnswer) =>
  reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength))
