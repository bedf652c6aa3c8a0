import type { ExchangeOptions, StatusSource, TimestampSource } from '@signed-registry/core'
import type { Certificate } from '@signed-registry/verifier'
import { AuthorityConnections } from './authority-connections.js'
import { type OnlineAuthoritiesOptions, TIMEOUT_MS } from './options.js'
import { allowedResponder } from './responder-address.js'

const MAX_BYTES = 256 * 1024

/** Time stamps over HTTP (RFC 3161 section 3.4). */
export class OnlineTimestampSource implements TimestampSource {
  readonly url: string
  readonly digestOid?: string
  readonly policy?: string
  private readonly timeoutMs: number
  private readonly connections = new AuthorityConnections()

  constructor(options: Pick<OnlineAuthoritiesOptions, 'tspUrl' | 'tspPolicy' | 'tspDigest' | 'timeoutMs'>) {
    this.url = options.tspUrl
    if (options.tspDigest !== undefined) this.digestOid = options.tspDigest
    if (options.tspPolicy !== undefined) this.policy = options.tspPolicy
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  timestamp(body: Uint8Array, { signal }: ExchangeOptions): Promise<Uint8Array> {
    return this.connections.post({
      url: this.url,
      body,
      contentType: 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      timeoutMs: this.timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
    })
  }

  close(): void {
    this.connections.close()
  }
}

/** Certificate status over HTTP (RFC 6960 appendix A). */
export class OnlineStatusSource implements StatusSource {
  private readonly ocspUrl: string | undefined
  private readonly allowedHosts: ReadonlySet<string>
  private readonly timeoutMs: number
  private readonly connections = new AuthorityConnections()

  constructor(options: Pick<OnlineAuthoritiesOptions, 'ocspUrl' | 'ocspAllowedHosts' | 'timeoutMs'>) {
    this.ocspUrl = options.ocspUrl
    this.allowedHosts = new Set(options.ocspAllowedHosts?.map((host) => host.toLowerCase()))
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  urlFor(certificate: Certificate): string | undefined {
    return this.ocspUrl ?? allowedResponder(certificate, this.allowedHosts)
  }

  status(url: string, body: Uint8Array, { signal }: ExchangeOptions): Promise<Uint8Array> {
    return this.connections.post({
      url,
      body,
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
      timeoutMs: this.timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
    })
  }

  close(): void {
    this.connections.close()
  }
}
