import type { TLSSocket } from 'node:tls'
import { addressTest, requestErrors } from '@signed-registry/core'
import type { FastifyRequest } from 'fastify'
import type { ProxySettings } from './proxies.js'

/** A connection of the port for information systems. */
export interface MutualTlsConnection {
  /** The client's certificate, DER; the handshake proved possession of its key. */
  readonly certificate: Buffer | undefined
}

const connections = new WeakMap<object, MutualTlsConnection>()

/** Remembers a connection that asked its client for a certificate. */
export function rememberConnection(socket: TLSSocket): void {
  connections.set(socket, { certificate: socket.getPeerX509Certificate()?.raw })
}

/**
 * Recognizes requests of information systems: those on the port that asks for a certificate, and those with the header of a
 * trusted proxy. From anybody else the header is ignored.
 */
export class ClientCertificates {
  private readonly isProxy: (address: string | undefined) => boolean
  private readonly header: string | undefined

  constructor({ trusted, certificateHeader }: ProxySettings) {
    this.isProxy = addressTest(trusted)
    this.header = certificateHeader?.toLowerCase()
  }

  /** `undefined` for a request on the port for people; throws `invalidHeaders` for a malformed header of a proxy. */
  of({ raw }: FastifyRequest): MutualTlsConnection | undefined {
    const connection = connections.get(raw.socket)
    if (connection !== undefined) return connection
    const value = this.header === undefined ? undefined : raw.headers[this.header]
    if (value === undefined || !this.isProxy(raw.socket.remoteAddress)) return undefined
    return { certificate: readCertificateHeader(value) }
  }
}

/** A byte sequence of structured fields (RFC 9651 section 3.3.5), as RFC 9440 writes a certificate. */
const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]+={0,2}):$/
/** One certificate as nginx writes it: `$ssl_client_escaped_cert`, which is PEM with escapes of URLs. */
const ESCAPED_PEM =
  /^-----BEGIN%20CERTIFICATE-----%0A((?:[A-Za-z0-9+/=]|%0A|%2B|%2F|%3D)+)-----END%20CERTIFICATE-----(?:%0A)?$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const MAX_CHARACTERS = 16 * 1024

/**
 * The certificate (DER) in a header of a proxy: as RFC 9440 section 2.2 has it in `Client-Cert`, or as nginx writes it. Throws
 * `invalidHeaders`.
 */
export function readCertificateHeader(value: string | string[]): Buffer {
  const text = typeof value === 'string' && value.length <= MAX_CHARACTERS ? value.trim() : ''
  const base64 = BYTE_SEQUENCE.exec(text)?.[1] ?? unescaped(ESCAPED_PEM.exec(text)?.[1])
  if (!BASE64.test(base64) || base64.length % 4 !== 0)
    throw requestErrors.error('invalidHeaders', { header: 'client certificate' })
  return Buffer.from(base64, 'base64')
}

const unescaped = (lines = ''): string => decodeURIComponent(lines).replaceAll('\n', '')
