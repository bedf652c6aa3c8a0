import type { AnyOperation, PhoneLoginVisit } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../http/client-address.js'
import type { Serve } from '../http/serve-operations.js'
import { sessionCookie } from './session-cookie.js'

const NAME = 'phone-login'
const SCOPE = 'Path=/api/auth/govQr; Secure; HttpOnly; SameSite=Strict'
const COOKIE = new RegExp(`(?:^|; *)${NAME}=([A-Za-z0-9]{22})(?:;|$)`)

/** Serves what a browser does to log in by phone: its secret and its session are cookies. */
export const servePhoneLogin =
  (operation: AnyOperation): Serve =>
  (registry) => {
    const part: { execute(caller: unknown, input: unknown, visit: PhoneLoginVisit): unknown } =
      registry.unchecked(operation)
    return async (request, reply) =>
      part.execute(request.caller, { ...Object(request.params), request: request.body }, visitOf(request, reply))
  }

/** The browser of a request. */
export const visitOf = (request: FastifyRequest, reply: FastifyReply): PhoneLoginVisit => ({
  isMutualTls: request.isMutualTls,
  ip: clientAddress(request),
  secret: COOKIE.exec(request.headers.cookie ?? '')?.[1],
  remember(secret, expireAt) {
    const seconds = Math.max(0, Math.ceil((expireAt - Date.now()) / 1000))
    reply.header('set-cookie', `${NAME}=${secret}; Max-Age=${seconds}; ${SCOPE}`)
  },
  async begin(session) {
    reply.header('set-cookie', [
      sessionCookie(await request.server.sessionTokens.issue(session)),
      `${NAME}=; Max-Age=0; ${SCOPE}`,
    ])
  },
})
