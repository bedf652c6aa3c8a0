import Type, { type Static } from 'typebox'
import { AlternativeName, StructuredName } from '../signatures/index.js'

const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })
const Oid = Type.String({ description: 'object identifier' })
const userId = Type.String({ description: 'IIN' })
const businessId = Type.Optional(Type.String({ description: 'BIN, for certificates of legal entities' }))

/** Request of `POST /api/auth` in its three forms (specification, "Authentication endpoints"). */
export const AuthenticationRequest = Type.Object(
  {
    nonce: Type.Optional(Type.String({ description: 'the nonce that was signed; without it a new one is answered' })),
    signature: Type.Optional(Type.String({ description: 'CMS over the nonce: DER in base64, or PEM; or signed XML' })),
    external: Type.Optional(
      Type.Boolean({ default: false, description: 'only answer who signed: no cookie, no profile' }),
    ),
    logout: Type.Optional(Type.Boolean({ description: 'true, alone: ends the session' })),
  },
  { $id: 'AuthenticationRequest' },
)
export type AuthenticationRequest = Static<typeof AuthenticationRequest>

/** Answer to a request for a nonce. */
export const AuthenticationNonce = Type.Object(
  { nonce: Type.String({ description: 'base64 of the bytes to sign; usable once, for five minutes' }) },
  { $id: 'AuthenticationNonce' },
)
export type AuthenticationNonce = Static<typeof AuthenticationNonce>

/** Who authenticated (specification, "Authentication result"). */
export const AuthenticationResult = Type.Object(
  {
    userId,
    businessId,
    email: Type.Optional(Type.String()),
    subject: Type.String({ description: 'RFC 4514' }),
    subjectStructure: StructuredName,
    subjectAltName: Type.Optional(Type.String()),
    subjectAltNameStructure: Type.Optional(Type.Array(AlternativeName)),
    signAlgorithm: Oid,
    keyStorage: Type.Optional(Oid),
    policyIds: Type.Array(Type.String()),
    extKeyUsages: Type.Array(Type.String()),
    certificateValidFrom: Milliseconds,
    certificateValidUntil: Milliseconds,
  },
  { $id: 'AuthenticationResult' },
)
export type AuthenticationResult = Static<typeof AuthenticationResult>

const AuthenticationEvent = Type.Object(
  {
    authAt: Milliseconds,
    serialNumber: Type.String({ description: 'of the certificate, lower-case hexadecimal' }),
    issuer: Type.String({ description: 'RFC 4514' }),
    ip: Type.String(),
  },
  { $id: 'AuthenticationEvent' },
)
export type AuthenticationEvent = Static<typeof AuthenticationEvent>

/** Answer of `GET /api/authLog`. */
export const AuthenticationLog = Type.Object(
  {
    userId,
    businessId,
    eventsTotal: Type.Integer(),
    events: Type.Array(AuthenticationEvent, { description: 'the newest 100, newest first' }),
  },
  { $id: 'AuthenticationLog' },
)
export type AuthenticationLog = Static<typeof AuthenticationLog>
