import type { TLSSocket } from 'node:tls'

/** A connection of the port for information systems. */
export interface MutualTlsConnection {
  /** The client's certificate, DER; the handshake has proved that it has the key. */
  readonly certificate: Buffer | undefined
}

const connections = new WeakMap<object, MutualTlsConnection>()

/** Takes note of a connection that asked its client for a certificate. */
export function rememberConnection(socket: TLSSocket): void {
  connections.set(socket, { certificate: socket.getPeerX509Certificate()?.raw })
}

/** What is known of a socket; `undefined` for one of the people's port. */
export const mutualTlsConnection = (socket: object): MutualTlsConnection | undefined => connections.get(socket)
