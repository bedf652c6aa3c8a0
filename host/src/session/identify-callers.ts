import {
  Authenticate,
  anonymous,
  type Caller,
  RegistryError,
  type Session,
  type Sessions,
  type SystemKeys,
} from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonBytes } from '../http/json-bytes.js'
import { clientAddress } from '../limits/client-address.js'
import type { HoldOff } from '../limits/hold-off.js'
import { networkOf } from '../limits/network-of.js'
import type { RequestRates } from '../limits/request-rates.js'
import type { ClientCertificates } from '../mutual-tls/client-certificates.js'
import { readSessionCookie, sessionCookie } from './cookies.js'
import type { SessionTokens } from './session-tokens.js'

/** What callers are told by. */
export interface Identification {
  readonly tokens: SessionTokens
  readonly sessions: Pick<Sessions, 'goesOn' | 'mayRenew'>
  readonly certificates: ClientCertificates
  readonly systems: Pick<SystemKeys, 'identify'>
  readonly rates: RequestRates
  readonly holdOff: HoldOff
}

/**
 * Sets `request.caller` of every request in this scope, before anything else of it is looked at, and counts it: systems
 * by their certificate, asked for anew each time; people by the session cookie, which is renewed when it has little life
 * left. Cookies mean nothing on the port for systems, and neither they nor certificates for pages of others (`isOfStranger`).
 */
export function identifyCallers(app: FastifyInstance, identification: Identification): void {
  const { tokens, certificates, rates, holdOff } = identification
  app.decorate('sessionTokens', tokens)
  app.decorateRequest('isMutualTls', false)
  app.decorateRequest('clientCertificate')
  app.decorateRequest('refusedCertificate')
  app.decorateRequest('renewedSession')
  const identify = (request: FastifyRequest): Promise<void> | void => {
    const connection = certificates.of(request)
    const address = clientAddress(request)
    request.isMutualTls = connection !== undefined
    request.clientCertificate = request.isOfStranger ? undefined : connection?.certificate
    const stranger: Caller = { kind: 'anonymous', address: networkOf(address) }
    const count = (known: Caller) => {
      const caller = known.kind === 'anonymous' ? stranger : known
      request.caller = caller
      rates.count(caller, address, jsonBytes(request))
    }
    if (connection !== undefined) return system(request, address, identification).then(count)
    const token = request.isOfStranger ? undefined : readSessionCookie(request.headers.cookie)
    // Most readers are nobody: that takes no promise.
    return token === undefined ? count(anonymous) : person(request, token, identification).then(count)
  }
  app.addHook('onRequest', (request, _reply, done) => holdOff.judge(request, () => identify(request), done))
  app.addHook('onSend', ({ renewedSession }, reply, _payload, done) => {
    if (renewedSession === undefined || reply.hasHeader('set-cookie')) return done()
    const renew = (token: string) => {
      reply.header('set-cookie', sessionCookie(token))
      done()
    }
    tokens.issue(renewedSession).then(renew, done)
  })
}

async function person(request: FastifyRequest, token: string, { tokens, sessions }: Identification): Promise<Caller> {
  const session = await tokens.read(token)
  if (session === undefined || !(await sessions.goesOn(session.caller))) return anonymous
  if (!tokens.isDue(session)) return session.caller
  if (await sessions.mayRenew(session.caller)) request.renewedSession = session
  // To ask may have ended it.
  else if (!(await sessions.goesOn(session.caller))) return anonymous
  return session.caller
}

async function system(request: FastifyRequest, ip: string, { systems, rates }: Identification): Promise<Caller> {
  const { clientCertificate, routeOptions } = request
  if (clientCertificate === undefined) return anonymous
  rates.assertMayIdentify(ip)
  try {
    return await systems.identify(clientCertificate)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.kind !== 'unauthenticated') throw error
    rates.countRefused(ip)
    if (routeOptions.config.operationId !== Authenticate.operation.id) throw error
    request.refusedCertificate = error
    return anonymous
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    sessionTokens: SessionTokens
  }
  interface FastifyRequest {
    /** True on the port for information systems, and for what a trusted proxy passes on from there. */
    isMutualTls: boolean
    /** The client certificate of such a request, DER. */
    clientCertificate: Buffer | undefined
    /** Why that certificate tells no system, on the route where a system may say for whom it acts. */
    refusedCertificate: RegistryError | undefined
    /** The session of a person, where its token is to be renewed. */
    renewedSession: Session | undefined
  }
}
