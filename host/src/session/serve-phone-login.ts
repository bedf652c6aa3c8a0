import { type AnyOperation, type Registry, Site } from '@signed-registry/core'
import type { PhoneLoginVisit } from '@signed-registry/core/procedures'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serve } from '../http/serve-operations.js'
import { clientAddress } from './callers.js'
import { isHttps, phoneLoginCookie, readPhoneLoginCookie, sessionCookie } from './cookies.js'

/** Serves login by phone to browsers: the secret and the session are cookies. */
export const servePhoneLogin =
  (operation: AnyOperation): Serve =>
  (registry) => {
    const part: { execute(caller: unknown, input: unknown, visit: PhoneLoginVisit): unknown } =
      registry.unchecked(operation)
    const visit = visitOf(registry)
    return async (request, reply) =>
      part.execute(request.caller, { ...Object(request.params), request: request.body }, visit(request, reply))
  }

/** The browser of a request. */
export const visitOf = (registry: Registry) => {
  const site = registry.get(Site)
  return (request: FastifyRequest, reply: FastifyReply): PhoneLoginVisit => {
    const byHttps = isHttps(request, site.baseUrl)
    return {
      isMutualTls: request.isMutualTls,
      ip: clientAddress(request),
      secret: readPhoneLoginCookie(request.headers.cookie, byHttps),
      remember(secret, expireAt) {
        const seconds = Math.max(0, Math.ceil((expireAt - Date.now()) / 1000))
        reply.header('set-cookie', phoneLoginCookie(secret, seconds, byHttps))
      },
      async begin(session) {
        reply.header('set-cookie', [
          sessionCookie(await request.server.sessionTokens.issue(session)),
          phoneLoginCookie('', 0, byHttps),
        ])
      },
    }
  }
}
