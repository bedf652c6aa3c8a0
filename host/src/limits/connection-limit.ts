import type { Server } from 'node:net'
import { networkOf } from './network-of.js'
import { RateLimit } from './rate-limit.js'

/** Connections that one address may have open at a time, by default. */
export const defaultConnectionsPerAddress = 256
/** Connections of one port in all. */
const MAX_CONNECTIONS = 10_000
/** New connections that one address may open in a minute, as many times as it may have open. */
const OPENED_TIMES = 4

/**
 * Closes connections of an address that has too many of them open, or opens them too fast, unread. `perAddress` of 0 limits nothing; trusted
 * addresses, such as those of proxies, have as many as they like.
 */
export function limitConnections<S extends Server>(
  server: S,
  perAddress: number,
  isTrusted: (address: string | undefined) => boolean,
): S {
  server.maxConnections = MAX_CONNECTIONS
  if (perAddress === 0) return server
  const open = new Map<string, number>()
  const opened = new RateLimit(OPENED_TIMES * perAddress, () => performance.now())
  server.on('connection', (socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    if (count >= perAddress || opened.take(address) > 0) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
  return server
}
