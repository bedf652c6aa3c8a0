import { setMaxListeners } from 'node:events'
import { isIP } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  anonymous,
  type Caller,
  defaultRates,
  networkOf,
  RegistryError,
  type RequestRates,
  type Session,
  type Sessions,
  type SystemKeys,
} from '@signed-registry/core'
import { Authenticate } from '@signed-registry/core/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonBytes } from '../http/large-json.js'
import type { ClientCertificates } from '../mutual-tls/client-certificates.js'
import { readSessionCookie, sessionCookie } from './cookies.js'
import type { SessionTokens } from './session-tokens.js'

/** What callers are identified by. */
interface Means {
  readonly tokens: SessionTokens
  readonly sessions: Pick<Sessions, 'goesOn' | 'mayRenew'>
  readonly certificates: ClientCertificates
  readonly systems: Pick<SystemKeys, 'identify'>
  readonly rates: RequestRates
  readonly holdOff: HoldOff
}

/**
 * Identifies callers and counts their requests: systems by their certificate, looked up each time; people by the session cookie,
 * which is renewed when it is about to expire. Cookies are ignored on the port for systems; cookies and certificates are for
 * pages of other origins (`isOfStranger`).
 */
export class Callers {
  constructor(private readonly use: Means) {}

  /** Declares on the requests of a scope what is found about them. */
  prepare(app: FastifyInstance): void {
    app.decorate('sessionTokens', this.use.tokens)
    app.decorateRequest('isMutualTls', false)
    app.decorateRequest('clientCertificate')
    app.decorateRequest('refusedCertificate')
    app.decorateRequest('renewedSession')
  }

  /** Sets `request.caller`; requests over the rate are delayed, then refused. */
  identify(request: FastifyRequest, done: (error?: Error) => void): void {
    this.use.holdOff.judge(request, () => this.tell(request), done)
  }

  /** Sends a new token with the answer when the session is about to expire. */
  renew({ renewedSession }: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const renewed = (token: string) => {
      reply.header('set-cookie', sessionCookie(token))
      done()
    }
    if (renewedSession === undefined || reply.hasHeader('set-cookie')) done()
    else this.use.tokens.issue(renewedSession).then(renewed, done)
  }

  private tell(request: FastifyRequest): Promise<void> | void {
    const { certificates, rates } = this.use
    const connection = certificates.of(request)
    request.isMutualTls = connection !== undefined
    request.clientCertificate = request.isOfStranger ? undefined : connection?.certificate
    const network = networkOf(clientAddress(request))
    const count = (known: Caller) => {
      request.caller = known.kind === 'anonymous' ? { kind: 'anonymous', address: network } : known
      return rates.count(request.caller, hasBody(request) ? jsonBytes(request) : 0)
    }
    if (connection !== undefined) return system(request, network, this.use).then(count)
    const { cookie } = request.headers
    const token = cookie === undefined || request.isOfStranger ? undefined : readSessionCookie(cookie)
    // Most readers are anonymous: no promise for them.
    return token === undefined ? count(anonymous) : person(request, token, this.use).then(count)
  }
}

/**
 * Delays refusals of callers over their rate, so that each connection makes one request in that time, and refusing costs almost
 * nothing. Requests through a proxy are refused at once, or it would run out of connections.
 */
export class HoldOff {
  private readonly closing = new AbortController()

  constructor(
    app: FastifyInstance,
    private readonly milliseconds = defaultRates.holdMs,
  ) {
    setMaxListeners(0, this.closing.signal)
    app.addHook('preClose', async () => this.closing.abort())
  }

  /** Runs `judge`, synchronously when possible; delays its `tooManyRequests`. */
  judge(request: FastifyRequest, judge: () => Promise<void> | void, done: (error?: Error) => void): void {
    const refuse = async (error: unknown) => {
      if (error instanceof RegistryError && error.kind === 'tooMany') await this.hold(request)
      done(error instanceof Error ? error : new Error(String(error)))
    }
    let judging: Promise<void> | void
    try {
      judging = judge()
    } catch (error) {
      void refuse(error)
      return
    }
    if (judging === undefined) done()
    else judging.then(() => done(), refuse)
  }

  private async hold(request: FastifyRequest): Promise<void> {
    if (clientAddress(request) !== request.raw.socket.remoteAddress) return
    await wait(this.milliseconds, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined)
  }
}

/** The client's address: what trusted proxies report, if that is an address, else that of the connection. */
export const clientAddress = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

async function person(request: FastifyRequest, token: string, { tokens, sessions }: Means): Promise<Caller> {
  const session = await tokens.read(token)
  if (session === undefined || !(await sessions.goesOn(session.caller))) return anonymous
  if (!tokens.isDue(session)) return session.caller
  if (await sessions.mayRenew(session.caller)) request.renewedSession = session
  // The look-up may have ended it.
  else if (!(await sessions.goesOn(session.caller))) return anonymous
  return session.caller
}

async function system(request: FastifyRequest, network: string, { systems, rates }: Means): Promise<Caller> {
  const { clientCertificate, routeOptions } = request
  if (clientCertificate === undefined) return anonymous
  rates.assertMayIdentify(network)
  try {
    return await systems.identify(clientCertificate)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.kind !== 'unauthenticated') throw error
    rates.countRefused(network)
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
    /** True on the port for information systems, and for requests that a trusted proxy forwards from it. */
    isMutualTls: boolean
    /** The client certificate of such a request, DER. */
    clientCertificate: Buffer | undefined
    /** Why that certificate identifies no system, on the route where a system may say for whom it acts. */
    refusedCertificate: RegistryError | undefined
    /** The session of a person, when its token is to be renewed. */
    renewedSession: Session | undefined
  }
}
