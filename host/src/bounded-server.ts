import http from 'node:http'
import https from 'node:https'
import { answerOddRequests } from './http/unreadable.js'
import { limitConnections } from './limits/connection-limit.js'
import type { Exchanges } from './limits/exchanges.js'
import { addressTest } from './mutual-tls/proxies.js'

/** Whose connections a server takes, and how many. */
export interface ConnectionSettings {
  /** Connections that one address may have open, but for those of the proxies; 0 for any number. */
  readonly connectionsPerAddress?: number | undefined
  /** Addresses and networks of the proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
}

const OPTIONS = {
  /** Milliseconds between two looks at heads that do not come. */
  connectionsCheckingInterval: 5000,
  /** Milliseconds that the beginning of a TLS connection may take. */
  handshakeTimeout: 15_000,
  /** Hosts that are not named are refused in words (admission.ts). */
  requireHostHeader: false,
} as const
/** Milliseconds that the head of a request may take. */
const HEADERS_TIMEOUT = 15_000
/** Milliseconds without a single byte in either direction. */
const IDLE_TIMEOUT = 120_000
/** Milliseconds that a connection waits for its next request. */
const KEEP_ALIVE_TIMEOUT = 72_000

/** A server that slow, idle and too many connections cannot hold: to wait, or to be too many, costs as good as nothing. */
export function boundedServer(
  exchanges: Exchanges,
  serve: http.RequestListener,
  tls: https.ServerOptions | undefined,
  { connectionsPerAddress = 0, trustedProxies = [] }: ConnectionSettings,
): http.Server {
  const listener = exchanges.listener(serve, (socket) => closed(socket))
  const server =
    tls === undefined ? http.createServer(OPTIONS, listener) : https.createServer({ ...OPTIONS, ...tls }, listener)
  server.headersTimeout = HEADERS_TIMEOUT
  // How slowly a body may come is judged by its pace (limits/pace.ts): a large upload is no slow request.
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT
  server.setTimeout(IDLE_TIMEOUT)
  answerOddRequests(server)
  const closed = limitConnections(server, connectionsPerAddress, addressTest(trustedProxies))
  return server
}
