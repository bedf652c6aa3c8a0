import http from 'node:http'
import https from 'node:https'
import { newId, noRates, type RateSettings } from '@signed-registry/core'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { admitAll } from './admission.js'
import type { ErrorsStatus } from './error-status.js'
import { finishAnswers } from './http/answers.js'
import { answerProblems, asRegistryError, sendProblem } from './http/problem.js'
import { noCompilers } from './http/schemas.js'
import { refuseUnknownRoutes } from './http/unknown-routes.js'
import { answerOddRequests, refuseUnreadable } from './http/unreadable.js'
import { limitConnections } from './limits/connection-limit.js'
import { Exchanges, keepPace } from './limits/exchanges.js'
import { type MemoryLimit, refuseWhenFull } from './limits/memory-limit.js'
import { defaultPace, type Pace } from './limits/pace.js'
import { logger } from './monitoring/logging.js'
import { logRequests } from './monitoring/requests.js'
import { addressTest } from './mutual-tls/proxies.js'

export interface ServerSettings {
  readonly logLevel: string
  readonly errorsStatus: ErrorsStatus
  /** Where log lines go; standard output unless given. */
  readonly logStream?: { write(line: string): void } | undefined
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Addresses and networks of the proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Connections that one address may have open, but for those of the proxies; 0 for any number. */
  readonly connectionsPerAddress?: number | undefined
  /** Pace of bodies and answers. */
  readonly pace?: Pace | undefined
  /** How much memory the process may have; no limit unless given. */
  readonly memory?: MemoryLimit | undefined
  /** How often an address may ask for what no scope counts by itself; no limit unless given. */
  readonly rates?: RateSettings | undefined
}

/** Milliseconds that the head of a request may take. */
const HEADERS_TIMEOUT = 15_000
/** Milliseconds between two looks at heads that do not come. */
const HEADERS_CHECKED_EVERY = 5000
/** Milliseconds that the beginning of a TLS connection may take. */
const HANDSHAKE_TIMEOUT = 15_000
/** Milliseconds without a single byte in either direction. */
const IDLE_TIMEOUT = 120_000
/** Milliseconds that a connection waits for its next request. */
const KEEP_ALIVE_TIMEOUT = 72_000

/** A Fastify application without routes that refuses, logs and times out as the stock host does. */
export function buildServer({
  logLevel,
  logStream,
  errorsStatus,
  tls,
  trustedProxies = [],
  connectionsPerAddress = 0,
  pace = defaultPace,
  memory,
  rates = noRates,
}: ServerSettings): FastifyInstance {
  const exchanges = new Exchanges(pace)
  const app = Fastify({
    logger: logger(logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestID' }),
    genReqId: newId,
    return503OnClosing: false,
    schemaController: noCompilers,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      sendProblem(request, reply, asRegistryError(error), errorsStatus)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, errorsStatus),
    serverFactory: (serve) => {
      // Before Fastify makes anything of them: to wait, or to be too many, costs as good as nothing.
      const server = listeningServer(
        exchanges.listener(serve, (socket) => closed(socket)),
        tls,
      )
      answerOddRequests(server)
      const closed = limitConnections(server, connectionsPerAddress, addressTest(trustedProxies))
      return server
    },
  })
  app.decorateRequest('problemCode', undefined)
  keepPace(app, exchanges)
  app.addHook('preClose', async () => {
    if (app.server.listening) exchanges.endConnections(app.server)
  })
  if (memory !== undefined) refuseWhenFull(app, memory)
  admitAll(app, rates)
  answerProblems(app, errorsStatus)
  refuseUnknownRoutes(app, errorsStatus)
  finishAnswers(app, true)
  logRequests(app)
  return app
}

/** What bounds the beginnings of connections; hosts that are not named are refused in words (http/unreadable.ts). */
export const serverOptions = {
  connectionsCheckingInterval: HEADERS_CHECKED_EVERY,
  handshakeTimeout: HANDSHAKE_TIMEOUT,
  requireHostHeader: false,
} as const

function listeningServer(listener: http.RequestListener, tls: ServerSettings['tls']): http.Server {
  return boundTimes(
    tls === undefined
      ? http.createServer(serverOptions, listener)
      : https.createServer({ ...serverOptions, ...tls, minVersion: 'TLSv1.2' }, listener),
  )
}

/** Keeps slow and idle connections from holding a server. */
export function boundTimes<S extends http.Server>(server: S): S {
  server.headersTimeout = HEADERS_TIMEOUT
  // How slowly a body may come is judged by its pace (limits/pace.ts): a large upload is no slow request.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT
  server.setTimeout(IDLE_TIMEOUT)
  return server
}
