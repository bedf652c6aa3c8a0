import { once } from 'node:events'
import https from 'node:https'
import type { FastifyInstance } from 'fastify'
import type { ErrorsStatus } from './error-status.js'
import { answerOddRequests, refuseUnreadable } from './http/unreadable.js'
import { limitConnections } from './limits/connection-limit.js'
import { rememberConnection } from './mutual-tls/client-certificates.js'
import { addressTest } from './mutual-tls/proxies.js'
import { boundTimes, serverOptions } from './server.js'

/** Where information systems are listened to. */
export interface SystemsListenerSettings {
  readonly host: string
  readonly port: number
  readonly tls: { readonly cert: Buffer | string; readonly key: Buffer | string }
  readonly errorsStatus: ErrorsStatus
  /** As of `ServerSettings`. */
  readonly connectionsPerAddress?: number
  readonly trustedProxies?: readonly string[]
}

/** A port that listens. */
export interface Listener {
  readonly port: number
  /** Takes no more connections; resolves when what has begun is answered. */
  close(): Promise<void>
}

/**
 * Listens for information systems and hands their requests to the application, which must be ready. TLS 1.3 alone; every client is asked for
 * a certificate, and any will do: it is looked up for each request (mutual TLS, docs/authentication.md).
 */
export async function listenForSystems(app: FastifyInstance, settings: SystemsListenerSettings): Promise<Listener> {
  const { host, port, tls, errorsStatus, connectionsPerAddress = 0, trustedProxies = [] } = settings
  const options = {
    ...serverOptions,
    ...tls,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
  } as const
  const server = boundTimes(
    https.createServer(
      options,
      app.exchanges.listener(
        (request, answer) => app.routing(request, answer),
        (socket) => closed(socket),
      ),
    ),
  )
  const closed = limitConnections(server, connectionsPerAddress, addressTest(trustedProxies))
  server.on('secureConnection', rememberConnection)
  answerOddRequests(server)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, errorsStatus))
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      app.exchanges.endConnections(server)
      await closed
    },
  }
}
