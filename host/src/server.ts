import { newId, noRates, type RateSettings } from '@signed-registry/core'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { admitAll } from './admission.js'
import { boundedServer, type ConnectionSettings } from './bounded-server.js'
import type { ErrorsStatus } from './error-status.js'
import { finishAnswers } from './http/answers.js'
import { answerProblems, asRegistryError, type OtherAnswer, sendProblem } from './http/problem.js'
import { noCompilers } from './http/schemas.js'
import { refuseUnknownRoutes } from './http/unknown-routes.js'
import { refuseUnreadable } from './http/unreadable.js'
import { Exchanges, keepPace } from './limits/exchanges.js'
import { type MemoryLimit, refuseWhenFull } from './limits/memory-limit.js'
import { defaultPace, type Pace } from './limits/pace.js'
import { logger } from './monitoring/logging.js'
import { logRequests } from './monitoring/requests.js'
import { ServerCertificate, type ServerPair } from './tls/server-certificate.js'

export interface ServerSettings extends ConnectionSettings {
  readonly logLevel: string
  readonly errorsStatus: ErrorsStatus
  /** Destination of log lines; standard output unless given. */
  readonly logStream?: { write(line: string): void } | undefined
  readonly tls?: ServerCertificate | ServerPair | undefined
  /** Pace of bodies and answers. */
  readonly pace?: Pace | undefined
  /** Number of this process among the workers of a host, for its log lines; none unless given. */
  readonly worker?: number | undefined
  /** Memory limit of the process; none unless given. */
  readonly memory?: MemoryLimit | undefined
  /** Rate of each address for routes outside the API and the pages; no limit unless given. */
  readonly rates?: RateSettings | undefined
  /** What browsers get at unknown addresses; a problem unless given. */
  readonly unknownPage?: OtherAnswer | undefined
}

/** A Fastify application without routes, with the error answers, log and timeouts of the stock host. */
export function buildServer({
  logLevel,
  logStream,
  errorsStatus,
  tls,
  trustedProxies = [],
  connectionsPerAddress,
  pace = defaultPace,
  worker,
  memory,
  rates = noRates,
  unknownPage,
}: ServerSettings): FastifyInstance {
  const exchanges = new Exchanges(pace)
  const certificate = tls === undefined || tls instanceof ServerCertificate ? tls : new ServerCertificate(tls)
  const app = Fastify({
    logger: logger(logLevel, logStream, worker),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestID' }),
    genReqId: newId,
    return503OnClosing: false,
    schemaController: noCompilers,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      const refused = asRegistryError(error)
      const problem = () => sendProblem(request, reply, refused, errorsStatus)
      const page = unknownPage?.(request, reply, refused)
      if (page === undefined) problem()
      else page.catch(problem)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, errorsStatus),
    serverFactory: (serve) =>
      boundedServer(exchanges, serve, certificate && { certificate, options: { minVersion: 'TLSv1.2' } }, {
        connectionsPerAddress,
        trustedProxies,
      }),
  })
  app.decorateRequest('problemCode', undefined)
  keepPace(app, exchanges)
  app.addHook('preClose', async () => {
    if (app.server.listening) exchanges.endConnections(app.server)
  })
  if (memory !== undefined) refuseWhenFull(app, memory)
  admitAll(app, rates)
  answerProblems(app, errorsStatus, unknownPage)
  refuseUnknownRoutes(app, errorsStatus)
  finishAnswers(app, true)
  logRequests(app)
  return app
}
