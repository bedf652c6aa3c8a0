import { type Static, Type } from 'typebox'

const HttpUrl = Type.String({ pattern: '^https?://[^/]', maxLength: 2048 })
const Oid = Type.String({ pattern: '^[0-2](\\.\\d+)+$', maxLength: 128 })
const Bytes = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)

/** For one whole exchange, unless given. */
export const TIMEOUT_MS = 10_000

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
