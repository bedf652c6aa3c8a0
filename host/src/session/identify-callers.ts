import { anonymous, type Caller, type IdentifySystem, RegistryError } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddress } from '../http/client-address.js'
import type { RequestRates } from '../limits/request-rates.js'
import type { ClientCertificates } from '../mutual-tls/client-certificates.js'
import { readSessionCookie, sessionCookie } from './session-cookie.js'
import type { ReadSession, SessionTokens } from './session-tokens.js'

/** What callers are told by. */
export interface Identification {
  readonly tokens: SessionTokens
  readonly certificates: ClientCertificates
  readonly systems: Pick<IdentifySystem, 'execute'>
  readonly rates: RequestRates
}

/**
 * Sets `request.caller` of every request in this scope, before anything else of it is looked at, and counts it: systems
 * by their certificate, asked for anew each time; people by the session cookie, which is renewed when it has little life
 * left. Cookies mean nothing on the port for systems.
 */
export function identifyCallers(app: FastifyInstance, identification: Identification): void {
  const { tokens, certificates, rates } = identification
  app.decorateRequest('isMutualTls', false)
  app.decorateRequest('loginSession')
  app.addHook('onRequest', async (request) => {
    const connection = certificates.of(request)
    const address = clientAddress(request)
    request.isMutualTls = connection !== undefined
    request.caller =
      connection === undefined
        ? await person(request, tokens)
        : await system(connection.certificate, address, identification)
    rates.count(request.caller, address)
  })
  app.addHook('onSend', async ({ loginSession }, reply) => {
    if (loginSession === undefined || reply.hasHeader('set-cookie')) return
    const renewed = await tokens.renew(loginSession)
    if (renewed !== undefined) reply.header('set-cookie', sessionCookie(renewed))
  })
}

async function person(request: FastifyRequest, tokens: SessionTokens): Promise<Caller> {
  const token = readSessionCookie(request.headers.cookie)
  request.loginSession = token === undefined ? undefined : await tokens.read(token)
  return request.loginSession?.caller ?? anonymous
}

async function system(certificate: Buffer | undefined, ip: string, { systems, rates }: Identification) {
  if (certificate === undefined) return anonymous
  rates.assertMayIdentify(ip)
  try {
    return await systems.execute(certificate)
  } catch (error) {
    if (error instanceof RegistryError && error.kind === 'unauthenticated') rates.countRefused(ip)
    throw error
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** True on the port for information systems, and for what a trusted proxy passes on from there. */
    isMutualTls: boolean
    /** The session of a person who is logged in. */
    loginSession: ReadSession | undefined
  }
}
