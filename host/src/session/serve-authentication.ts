import { Authenticate, type AuthenticationRequest } from '@signed-registry/core/auth'
import type { Serve } from '../http/serve-operations.js'
import { clientAddress } from './callers.js'
import { expiredCookie, sessionCookie } from './cookies.js'

/** Serves `POST /api/auth`: a session is a cookie. */
export const serveAuthentication: Serve = (registry) => {
  const authenticate = registry.unchecked(Authenticate)
  return async (request, reply) => {
    // Validated by the schema of the operation.
    const body = request.body as AuthenticationRequest
    // A system whose key several organizations list is anonymous until it says for which of them it acts.
    if (request.refusedCertificate !== undefined && body.businessId === undefined) throw request.refusedCertificate
    return authenticate.execute(
      request.caller,
      { request: body },
      {
        ip: clientAddress(request),
        isMutualTls: request.isMutualTls,
        certificate: request.clientCertificate,
        async begin(session) {
          reply.header('set-cookie', sessionCookie(await request.server.sessionTokens.issue(session)))
        },
        end() {
          reply.header('set-cookie', expiredCookie)
        },
      },
    )
  }
}
