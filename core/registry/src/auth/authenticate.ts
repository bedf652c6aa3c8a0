import Type, { type Static } from 'typebox'
import { anyoneButSystems, type Caller, identityErrors } from '../identity/index.js'
import { type Answer, type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { SystemKeys } from '../organizations/index.js'
import { authErrors } from './errors.js'
import { Logins, type Session } from './logins.js'
import { AuthenticationResult } from './schema.js'
import { Sessions } from './sessions.js'

/** Request of `POST /api/auth` in its three forms (specification, "Authentication endpoints"). */
export const AuthenticationRequest = Type.Object(
  {
    nonce: Type.Optional(Type.String({ description: 'the nonce that was signed; without it a new one is answered' })),
    signature: Type.Optional(Type.String({ description: 'CMS over the nonce: DER in base64, or PEM; or signed XML' })),
    external: Type.Optional(
      Type.Boolean({ default: false, description: 'only answer who signed: no cookie, no profile' }),
    ),
    logout: Type.Optional(Type.Boolean({ description: 'true, alone: ends the session' })),
    businessId: Type.Optional(
      Type.String({
        description: 'alone, over mutual TLS: the organization for which the key of the certificate acts',
      }),
    ),
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

/** Answer to an information system that said for which organization it acts. */
export const ConfirmedSystem = Type.Object(
  { businessId: Type.String({ description: 'BIN' }) },
  { $id: 'ConfirmedSystem' },
)
export type ConfirmedSystem = Static<typeof ConfirmedSystem>

/** The connection over which somebody authenticates; its server carries the session, for example in a cookie. */
export interface Visit {
  readonly ip: string
  /** True on a connection where information systems authenticate by mutual TLS, and people cannot log in. */
  readonly isMutualTls: boolean
  /** DER of the client certificate of such a connection. */
  readonly certificate?: Uint8Array | undefined
  begin(session: Session): Promise<void>
  end(): void
}

/** A call from inside the process, which carries no session. */
const inProcess: Visit = { ip: '', isMutualTls: false, begin: async () => undefined, end: () => undefined }

/** Issues nonces, identifies people by a signature over one, and logs them out (specification, `POST /api/auth`). */
export class Authenticate {
  static readonly operation = operation({
    id: 'authenticate',
    group: 'authentication',
    at: 'POST /auth',
    who: anyoneButSystems,
    summary: 'Request a nonce ({}), authenticate by a signature over it, log out, or say for whom a system acts',
    description:
      'An empty object is answered with a nonce; its signature, by a qualified certificate, begins a session in a cookie. Who uses mutual TLS says once for which organization the key acts.',
    request: AuthenticationRequest,
    json: { bytes: 1024 * 1024 },
    answer: Type.Union([AuthenticationNonce, AuthenticationResult, ConfirmedSystem, Type.Object({})]),
    refuses: [
      'algorithmNotTrusted',
      'alreadyAuthenticatedWithTls',
      'authenticationRequired',
      'badSignerCertificate',
      'certificateIssuerUnknown',
      'invalidCertificateStatus',
      'invalidNonce',
      'invalidSignature',
      'requestFieldTooLarge',
      'signatureNotParsed',
      'signerCertificateNotValidNow',
      'tlsCertificateNotListed',
    ],
  })
  static readonly inject = { logins: Logins, systems: SystemKeys, sessions: Sessions }

  constructor(private readonly use: Injected<typeof Authenticate.inject>) {}

  async execute(
    caller: Caller,
    { request }: Input<typeof Authenticate.operation>,
    visit: Visit = inProcess,
  ): Promise<Answer<typeof Authenticate.operation>> {
    if (request.businessId !== undefined) return this.confirm(request, request.businessId, visit)
    if (visit.isMutualTls || caller.kind === 'system') throw authErrors.error('alreadyAuthenticatedWithTls')
    const { nonce, signature, external = false, logout } = request
    if (logout !== undefined) {
      if (!logout || nonce !== undefined || signature !== undefined) throw wrongForm('/logout', 'must be true, alone')
      if (caller.kind !== 'anonymous') await this.use.sessions.end(caller)
      visit.end()
      return {}
    }
    if (nonce === undefined && signature === undefined) {
      return { nonce: await this.use.logins.nonce() }
    }
    if (nonce === undefined || signature === undefined) throw wrongForm('', 'nonce and signature go together')
    const proved = await this.use.logins.prove({ nonce, signature })
    if (!external) await visit.begin(await this.use.logins.begin(proved, visit.ip))
    return proved.result
  }

  /** The TLS handshake proved possession of the key; the caller names the organization that it acts for. */
  private async confirm(
    request: AuthenticationRequest,
    businessId: string,
    { certificate }: Visit,
  ): Promise<ConfirmedSystem> {
    if (Object.keys(request).some((field) => field !== 'businessId' && field in AuthenticationRequest.properties)) {
      throw wrongForm('/businessId', 'must be alone')
    }
    if (certificate === undefined) throw identityErrors.error('authenticationRequired', { reason: 'mutualTls' })
    const { bin } = await this.use.systems.confirm(certificate, businessId)
    return { businessId: bin }
  }
}

const wrongForm = (path: string, problem: string) =>
  requestErrors.error('invalidJsonStructure', { part: 'body', path, problem })
