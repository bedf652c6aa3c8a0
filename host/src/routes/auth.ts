import {
  Authenticate,
  type Authenticated,
  AuthenticationLog,
  AuthenticationNonce,
  AuthenticationRequest,
  AuthenticationResult,
  authErrors,
  GetAuthentication,
  GetAuthenticationLog,
  type Registry,
  RequestNonce,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { requestErrors } from '../errors.js'
import { clientAddress } from '../http/client-address.js'
import { type Api, addComponents, ref } from '../http/components.js'
import { emptiedCookie, sessionCookie } from '../session/session-cookie.js'
import type { Session, SessionTokens } from '../session/session-tokens.js'
import { operation } from './operation.js'

const LONGEST_SESSION = 12 * 60 * 60_000

/** Logging in and out, who is logged in, and when they did (specification, "Authentication endpoints"). */
export function authRoutes(app: Api, registry: Registry, tokens: SessionTokens): void {
  const requestNonce = registry.get(RequestNonce)
  const authenticate = registry.get(Authenticate)
  const getAuthentication = registry.get(GetAuthentication)
  const getAuthenticationLog = registry.get(GetAuthenticationLog)
  addComponents(app, [AuthenticationRequest, AuthenticationNonce, AuthenticationResult, AuthenticationLog])

  app.post(
    '/auth',
    {
      schema: operation(
        'authenticate',
        'authentication',
        'Request a nonce ({}), authenticate by a signature over it, or log out',
        { body: ref(AuthenticationRequest) },
        Type.Union([ref(AuthenticationNonce), ref(AuthenticationResult), Type.Object({})]),
      ),
      preHandler: (request, _reply, done) => {
        done(request.isMutualTls ? authErrors.error('alreadyAuthenticatedWithTls') : undefined)
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { nonce, signature, external, logout } = body
      if (logout !== undefined) {
        if (!logout || nonce !== undefined || signature !== undefined) throw wrongForm('/logout', 'must be true, alone')
        reply.header('set-cookie', emptiedCookie)
        return {}
      }
      if (nonce === undefined && signature === undefined) return requestNonce.execute(caller)
      if (nonce === undefined || signature === undefined) throw wrongForm('', 'nonce and signature go together')
      const signed = { nonce, signature, external: external ?? false }
      const authenticated = await authenticate.execute(caller, signed, { ip: clientAddress(request) })
      const session = sessionOf(authenticated)
      if (session !== undefined) reply.header('set-cookie', sessionCookie(await tokens.issue(session)))
      return authenticated.result
    },
  )

  app.get(
    '/auth',
    {
      schema: operation('getAuthentication', 'authentication', 'Who is logged in', {}, ref(AuthenticationResult)),
    },
    ({ caller, loginSession }) => getAuthentication.execute(caller, loginSession?.authenticationId ?? 0),
  )

  app.get(
    '/authLog',
    {
      schema: operation(
        'getAuthenticationLog',
        'authentication',
        'When and from where the caller logged in',
        {},
        ref(AuthenticationLog),
      ),
    },
    ({ caller }) => getAuthenticationLog.execute(caller),
  )
}

/** The session that an internal authentication begins; it ends with the certificate, and after 12 hours. */
function sessionOf({ result, authentication }: Authenticated): Session | undefined {
  if (authentication === undefined) return undefined
  const { userId: iin, businessId: bin, extKeyUsages: authorities, certificateValidUntil } = result
  const { id, authAt, serialNumber } = authentication
  return {
    caller: bin === undefined ? { kind: 'person', iin } : { kind: 'employee', iin, bin, authorities },
    authenticationId: id,
    serialNumber,
    authAt,
    endsAt: Math.min(authAt + LONGEST_SESSION, certificateValidUntil),
  }
}

const wrongForm = (path: string, problem: string) =>
  requestErrors.error('invalidJsonStructure', { part: 'body', path, problem })
