import http from 'node:http'
import type https from 'node:https'
import { addressTest } from '@signed-registry/core'
import { answerUnsupported } from './http/unreadable.js'
import { limitConnections } from './limits/connection-limit.js'
import type { Exchanges } from './limits/exchanges.js'
import type { ServerCertificate } from './tls/server-certificate.js'

/** How many connections a server accepts, and from whom. */
export interface ConnectionSettings {
  /** Connections that one address may have open, other than a trusted proxy; 0 for any number. */
  readonly connectionsPerAddress?: number | undefined
  /** Addresses and networks of the proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies?: readonly string[] | undefined
}

const OPTIONS = {
  /** Milliseconds between two checks for request heads that are overdue. */
  connectionsCheckingInterval: 5000,
  /** Milliseconds that a TLS handshake may take. */
  handshakeTimeout: 15_000,
  /** A missing `Host` header is refused with a problem instead (admission.ts). */
  requireHostHeader: false,
} as const
/** Milliseconds in which the head of a request must arrive. */
const HEADERS_TIMEOUT = 15_000
/** Milliseconds without a single byte in either direction. */
const IDLE_TIMEOUT = 120_000
/** Milliseconds that a connection may wait for its next request, as callers are told (`Keep-Alive: timeout`). */
const KEEP_ALIVE_TIMEOUT = 60_000
/** Milliseconds more, beside a second of Node's: a request that a caller sends at the last moment, or slowly, is not lost. */
const CLOSED_LATER = 11_000

/** A server that slow, idle or too many connections cannot exhaust: a connection that waits, or is one too many, costs almost nothing. */
export function boundedServer(
  exchanges: Exchanges,
  serve: http.RequestListener,
  tls: { readonly certificate: ServerCertificate; readonly options: https.ServerOptions } | undefined,
  { connectionsPerAddress = 0, trustedProxies = [] }: ConnectionSettings,
): http.Server {
  const listener = exchanges.listener(serve, (socket) => closed(socket))
  const server =
    tls === undefined
      ? http.createServer(OPTIONS, listener)
      : tls.certificate.createServer({ ...OPTIONS, ...tls.options }, listener)
  server.headersTimeout = HEADERS_TIMEOUT
  // Slow bodies are judged by their pace (limits/pace.ts): a large upload is not a slow request.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT
  server.setTimeout(IDLE_TIMEOUT, (socket) => {
    // Node gave it this time to wait for a request, and takes it back when one comes.
    const { timeout = 0 } = socket
    if (timeout >= KEEP_ALIVE_TIMEOUT && timeout < IDLE_TIMEOUT) socket.setTimeout(CLOSED_LATER)
    else socket.destroy()
  })
  answerUnsupported(server)
  const closed = limitConnections(server, connectionsPerAddress, addressTest(trustedProxies))
  return server
}
