import {
  Clock,
  definePlugin,
  type ExchangeOptions,
  provide,
  StatusSource,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'
import type { Certificate } from '@signed-registry/verifier'
import { type Static, Type } from 'typebox'
import { AuthorityConnections } from './authority-connections.js'
import { ConfiguredTrust } from './configured-trust.js'
import { allowedResponder } from './responder-address.js'

const HttpUrl = Type.String({ pattern: '^https?://[^/]', maxLength: 2048 })
const Oid = Type.String({ pattern: '^[0-2](\\.\\d+)+$', maxLength: 128 })
const Bytes = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)

/** Options of `onlineAuthorities`. */
export const OnlineAuthoritiesOptions = Type.Object(
  {
    /** Time-stamping authority (RFC 3161 over HTTP). */
    tspUrl: HttpUrl,
    /** Policy to ask it for; its default where not given. */
    tspPolicy: Type.Optional(Oid),
    /** Digest of the imprint; SHA-256 where not given. */
    tspDigest: Type.Optional(Oid),
    /** OCSP responder for every certificate; where not given, the one that the certificate names, if its host is allowed. */
    ocspUrl: Type.Optional(HttpUrl),
    /** `host` or `host:port` of responders that certificates may send us to. */
    ocspAllowedHosts: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }))),
    /** DER or PEM of anchors, issuing CAs and CRLs, or the path of a file or folder of them. */
    trustAnchors: Type.Union([Type.String({ minLength: 1 }), Type.Array(Bytes, { minItems: 1 })]),
    /** Certificates of responders whose OCSP answers count for every certificate (RFC 6960 section 4.2.2.2), as `trustAnchors`. */
    trustedResponders: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Array(Bytes, { minItems: 1 })])),
    /** For one whole exchange, milliseconds; 10 seconds where not given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 120_000 })),
  },
  { additionalProperties: false },
)
export type OnlineAuthoritiesOptions = Static<typeof OnlineAuthoritiesOptions>

const TIMEOUT = 10_000
const MAX_BYTES = 256 * 1024

/** Plugin: a time-stamping authority and OCSP responders over HTTP, and trust anchors from files. */
export const onlineAuthorities = definePlugin({
  name: 'online-authorities',
  options: OnlineAuthoritiesOptions,
  parts: (options) => ({
    provides: [
      provide(TrustStore, {
        inject: { clock: Clock },
        make: ({ clock }) => new ConfiguredTrust(options.trustAnchors, clock, options.trustedResponders),
      }),
      provide(TimestampSource, {
        make: () => new OnlineTimestampSource(options),
        close: (source) => source.close(),
      }),
      provide(StatusSource, {
        make: () => new OnlineStatusSource(options),
        close: (source) => source.close(),
      }),
    ],
  }),
})

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
    this.timeoutMs = options.timeoutMs ?? TIMEOUT
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
    this.timeoutMs = options.timeoutMs ?? TIMEOUT
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
