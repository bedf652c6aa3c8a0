import { once } from 'node:events'
import type http from 'node:http'
import type { FastifyInstance } from 'fastify'
import { boundedServer, type ConnectionSettings } from './bounded-server.js'
import type { ErrorsStatus } from './error-status.js'
import { refuseUnreadable } from './http/unreadable.js'
import { quietTurn } from './limits/quiet-turn.js'
import { rememberConnection } from './mutual-tls/client-certificates.js'
import { ServerCertificate, type ServerPair } from './tls/server-certificate.js'

/** The port for information systems. */
export interface SystemsListenerSettings extends ConnectionSettings {
  readonly host: string
  readonly port: number
  readonly tls: ServerCertificate | ServerPair
  readonly errorsStatus: ErrorsStatus
}

/** A port that listens. */
export interface Listener {
  readonly port: number
  /** Accepts no more connections; resolves when the requests in progress are answered. */
  close(): Promise<void>
}

/**
 * Listens for information systems and passes their requests to the application, which must be ready. TLS 1.3 only; every client is
 * asked for a certificate, and any is accepted: it is looked up for each request (docs/authentication.md).
 */
export async function listenForSystems(app: FastifyInstance, settings: SystemsListenerSettings): Promise<Listener> {
  const { host, port, tls, errorsStatus } = settings
  const options = { requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' } as const
  const certificate = tls instanceof ServerCertificate ? tls : new ServerCertificate(tls)
  const serve: http.RequestListener = (request, answer) => app.routing(request, answer)
  const server = boundedServer(app.exchanges, serve, { certificate, options }, settings)
  server.on('secureConnection', rememberConnection)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, errorsStatus))
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      await quietTurn(server)
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      app.exchanges.endConnections(server)
      await closed
    },
  }
}
