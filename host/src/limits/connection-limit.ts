import type { Server, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { networkOf, RateLimit } from '@signed-registry/core'

/** Connections that one address may have open at a time, by default. */
export const defaultConnectionsPerAddress = 256
/** Connections of one port in total. */
const MAX_CONNECTIONS = 10_000
/** A few more, until the connection that makes room is closed. */
const CLOSING_MARGIN = 100
/** New connections per minute and address, as a multiple of those it may have open. */
const OPENED_PER_MINUTE_FACTOR = 4
/** A connection that is closed for abuse counts as this many new ones. */
const ABUSE_COST = 32
/** Milliseconds that an excess connection stays open, unread: closed at once, it would be reopened at once. */
const HELD_MS = 1000

/**
 * Closes connections of an address that has too many open, or opens them too fast (those after a delay), unread. When the port is
 * full, the address with the most loses its oldest one to an address with fewer. `perAddress` of 0 is no limit; neither have trusted
 * proxies one. Returns a function to report a connection that was closed for abuse, which counts against its address.
 */
export function limitConnections(
  server: Server,
  perAddress: number,
  isTrusted: (address: string | undefined) => boolean,
  total = MAX_CONNECTIONS,
): (closed: Socket) => void {
  server.maxConnections = total + CLOSING_MARGIN
  if (perAddress === 0) return () => undefined
  const open = new OpenConnections(total)
  const opened = new RateLimit(OPENED_PER_MINUTE_FACTOR * perAddress, () => performance.now())
  server.on('connection', (socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress ?? '')
    const count = open.of(address)
    const isTooFast = count < perAddress && opened.take(address) > 0
    // With TLS the handshake would be read.
    if (count >= perAddress || (isTooFast && server instanceof TlsServer) || !open.makeRoom(address)) {
      socket.destroy()
      return
    }
    if (isTooFast) {
      // Node starts reading in this turn of the event loop; nothing can arrive before the next.
      setImmediate(() => socket.pause())
      setTimeout(() => socket.destroy(), HELD_MS).unref()
    }
    open.add(address, socket)
  })
  return ({ remoteAddress }) => {
    if (!isTrusted(remoteAddress)) opened.take(networkOf(remoteAddress ?? ''), ABUSE_COST)
  }
}

/** The open connections of a port by address, oldest first. */
class OpenConnections {
  private readonly byAddress = new Map<string, Set<Socket>>()
  private all = 0

  constructor(private readonly total: number) {}

  of(address: string): number {
    return this.byAddress.get(address)?.size ?? 0
  }

  add(address: string, socket: Socket): void {
    const sockets = this.byAddress.get(address) ?? new Set()
    this.byAddress.set(address, sockets.add(socket))
    this.all += 1
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) this.byAddress.delete(address)
      this.all -= 1
    })
  }

  /** False when the port is full and no address has more connections than this one would have. */
  makeRoom(address: string): boolean {
    if (this.all < this.total) return true
    let most: Set<Socket> = new Set()
    for (const sockets of this.byAddress.values()) if (sockets.size > most.size) most = sockets
    const [oldest] = most
    if (oldest === undefined || most.size <= this.of(address) + 1) return false
    oldest.destroy()
    return true
  }
}
