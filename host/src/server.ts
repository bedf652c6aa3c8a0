import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { newId } from '@signed-registry/core'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { sendSecurityHeaders } from './browser/security-headers.js'
import type { ErrorsStatus } from './error-status.js'
import { requestErrors } from './errors.js'
import { answerProblems, asRegistryError, problemBody, sendProblem } from './http/problem.js'
import { answerSafeJson } from './http/safe-json.js'
import { refuseUnknownRoutes } from './http/unknown-routes.js'
import { logger, logRequests } from './operations/logging.js'

export interface ServerSettings {
  readonly logLevel: string
  readonly errorsStatus: ErrorsStatus
  /** Where log lines go; standard output unless given. */
  readonly logStream?: { write(line: string): void } | undefined
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Addresses and networks of the proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
}

/** Milliseconds that the head of a request may take. */
const HEADERS_TIMEOUT = 15_000
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
}: ServerSettings): FastifyInstance {
  const app = Fastify({
    logger: logger(logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestID' }),
    genReqId: newId,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      sendProblem(request, reply, asRegistryError(error), errorsStatus)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, errorsStatus),
    serverFactory: (listener) => listeningServer(listener, tls),
  })
  app.decorateRequest('problemCode', undefined)
  answerProblems(app, errorsStatus)
  refuseUnknownRoutes(app, errorsStatus)
  answerSafeJson(app)
  sendSecurityHeaders(app)
  logRequests(app)
  return app
}

function listeningServer(listener: http.RequestListener, tls: ServerSettings['tls']): http.Server {
  return boundTimes(
    tls === undefined ? http.createServer(listener) : https.createServer({ ...tls, minVersion: 'TLSv1.2' }, listener),
  )
}

/** Keeps slow and idle connections from holding a server. */
export function boundTimes<S extends http.Server>(server: S): S {
  server.headersTimeout = HEADERS_TIMEOUT
  // How slowly a body may come is the API's to say (http/body-deadline.ts): a large upload is no slow request.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT
  server.setTimeout(IDLE_TIMEOUT)
  return server
}

/** Answers bytes that are no HTTP request, or whose head is too large or too slow. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, errorsStatus: ErrorsStatus): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const body = problemBody(requestErrors.error('invalidHeaders'), newId())
    const status = errorsStatus === 'always-200' ? '200 OK' : '400 Bad Request'
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}
