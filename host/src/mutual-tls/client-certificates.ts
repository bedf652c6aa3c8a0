import type { FastifyRequest } from 'fastify'
import { readCertificateHeader } from './certificate-header.js'
import { type MutualTlsConnection, mutualTlsConnection } from './connections.js'
import { addressTest, type ProxySettings } from './proxies.js'

/**
 * Tells which requests come from information systems: those of the port that asks for a certificate, and those that a
 * trusted proxy vouches for in its header. From anybody else the header means nothing.
 */
export class ClientCertificates {
  private readonly isProxy: (address: string | undefined) => boolean
  private readonly header: string | undefined

  constructor({ trusted, certificateHeader }: ProxySettings) {
    this.isProxy = addressTest(trusted)
    this.header = certificateHeader?.toLowerCase()
  }

  /** `undefined` for a request of the people's port; throws `invalidHeaders` for a header of a proxy that is malformed. */
  of({ raw }: FastifyRequest): MutualTlsConnection | undefined {
    const connection = mutualTlsConnection(raw.socket)
    if (connection !== undefined) return connection
    const value = this.header === undefined ? undefined : raw.headers[this.header]
    if (value === undefined || !this.isProxy(raw.socket.remoteAddress)) return undefined
    return { certificate: readCertificateHeader(value) }
  }
}
