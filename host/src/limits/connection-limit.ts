import type { Server, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { networkOf, RateLimit } from '@signed-registry/core'

/** Connections that one address may have open at a time, by default. */
export const defaultConnectionsPerAddress = 256
/** Connections of one port in all. */
const MAX_CONNECTIONS = 10_000
/** A few more, until the one that makes room is closed. */
const ON_THE_WAY = 100
/** New connections that one address may open in a minute, as many times as it may have open. */
const OPENED_TIMES = 4
/** New connections that it counts for when a connection is closed for what came on it. */
const CLOSED_COST = 32
/** Milliseconds that a connection too many is left open, unread: closed at once, it would be opened again at once. */
const HELD_MS = 1000

/**
 * Closes connections of an address that has too many of them open, or opens them too fast (those a moment later), unread. When the
 * port is full, the address with most gives its oldest one to an address that has fewer. `perAddress` of 0 limits nothing; trusted
 * addresses, such as those of proxies, have as many as they like. Gives what to call for a connection that is closed for what
 * came on it: who only opens another one would cost the same again, and is soon not read any more.
 */
export function limitConnections(
  server: Server,
  perAddress: number,
  isTrusted: (address: string | undefined) => boolean,
  inAll = MAX_CONNECTIONS,
): (closed: Socket) => void {
  server.maxConnections = inAll + ON_THE_WAY
  if (perAddress === 0) return () => undefined
  const open = new OpenConnections(inAll)
  const opened = new RateLimit(OPENED_TIMES * perAddress, () => performance.now())
  server.on('connection', (socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress ?? '')
    const count = open.of(address)
    const isTooFast = count < perAddress && opened.take(address) > 0
    // Of TLS the beginning would be read.
    if (count >= perAddress || (isTooFast && server instanceof TlsServer) || !open.makeRoom(address)) {
      socket.destroy()
      return
    }
    if (isTooFast) {
      // Node begins to read in this turn of the loop, and nothing can have come before the next.
      setImmediate(() => socket.pause())
      setTimeout(() => socket.destroy(), HELD_MS).unref()
    }
    open.add(address, socket)
  })
  return ({ remoteAddress }) => {
    if (!isTrusted(remoteAddress)) opened.take(networkOf(remoteAddress ?? ''), CLOSED_COST)
  }
}

/** The connections of a port, by address, each in the order in which they were opened. */
class OpenConnections {
  private readonly byAddress = new Map<string, Set<Socket>>()
  private all = 0

  constructor(private readonly inAll: number) {}

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

  /** False where all are taken, and no address has more of them than this one would have. */
  makeRoom(address: string): boolean {
    if (this.all < this.inAll) return true
    let most: Set<Socket> = new Set()
    for (const sockets of this.byAddress.values()) if (sockets.size > most.size) most = sockets
    const [oldest] = most
    if (oldest === undefined || most.size <= this.of(address) + 1) return false
    oldest.destroy()
    return true
  }
}
