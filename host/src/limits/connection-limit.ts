import type { Server, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { networkOf } from './network-of.js'
import { RateLimit } from './rate-limit.js'

/** Connections that one address may have open at a time, by default. */
export const defaultConnectionsPerAddress = 256
/** Connections of one port in all. */
const MAX_CONNECTIONS = 10_000
/** New connections that one address may open in a minute, as many times as it may have open. */
const OPENED_TIMES = 4
/** New connections that it counts for when a connection is closed for what came on it. */
const CLOSED_COST = 32
/** Milliseconds that a connection too many is left open, unread: closed at once, it would be opened again at once. */
const HELD_MS = 1000

/**
 * Closes connections of an address that has too many of them open, or opens them too fast (those a moment later), unread. `perAddress` of 0 limits nothing; trusted
 * addresses, such as those of proxies, have as many as they like. Gives what to call for a connection that is closed for what came on
 * it: who only opens another one would cost the same again, and is soon not read any more.
 */
export function limitConnections(
  server: Server,
  perAddress: number,
  isTrusted: (address: string | undefined) => boolean,
): (closed: Socket) => void {
  server.maxConnections = MAX_CONNECTIONS
  if (perAddress === 0) return () => undefined
  const open = new Map<string, number>()
  const opened = new RateLimit(OPENED_TIMES * perAddress, () => performance.now())
  server.on('connection', (socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    const isTooFast = count < perAddress && opened.take(address) > 0
    // Of TLS the beginning would be read.
    if (count >= perAddress || (isTooFast && server instanceof TlsServer)) {
      socket.destroy()
      return
    }
    if (isTooFast) {
      // Node begins to read in this turn of the loop, and nothing can have come before the next.
      setImmediate(() => socket.pause())
      setTimeout(() => socket.destroy(), HELD_MS).unref()
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
  return ({ remoteAddress }) => {
    if (!isTrusted(remoteAddress)) opened.take(networkOf(remoteAddress ?? ''), CLOSED_COST)
  }
}
