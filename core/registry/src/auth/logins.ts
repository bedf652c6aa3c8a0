import { Database } from '../database/database.js'
import type { Employee, Person } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newLinkSecret } from '../kernel/ids.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { UserSettingsStore } from '../settings/index.js'
import {
  authenticationKeyRules,
  authenticationRules,
  SignaturePolicy,
  type SignerRules,
  VerifyPresentSignature,
} from '../signatures/index.js'
import { AuthenticationStore } from './authentication-store.js'
import { authErrors } from './errors.js'
import { authenticationResult, readLoginSignature } from './login-signature.js'
import { decodeNonce } from './nonce.js'
import { NonceStore } from './nonce-store.js'
import type { AuthenticationResult } from './schema.js'

/** Who a signature over a nonce proved somebody to be. */
export interface ProvedLogin {
  readonly result: AuthenticationResult
  /** Of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
  /** RFC 4514. */
  readonly issuer: string
  /** Certificates from the signer to a trust anchor, base64 of DER. */
  readonly path: readonly string[]
}

/** By which certificates people log in: those for authentication and those for signing, or those for authentication alone. */
export type LoginCertificates = 'any' | 'authentication'
export const LoginCertificates = port<LoginCertificates>('LoginCertificates', 'defaulted')

/** What the certificate of a login must be meant for. */
const loginRules: Readonly<Record<LoginCertificates, SignerRules>> = {
  any: authenticationRules,
  authentication: authenticationKeyRules,
}

/** What an authentication begins. Times are milliseconds since the epoch. */
export interface Session {
  readonly caller: (Person | Employee) & { readonly sessionId: string }
  /** Serial number of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
  readonly authAt: number
  /** When it ends even if it is used all the time. */
  readonly endsAt: number
}

const LONGEST_SESSION = 12 * 60 * 60_000

/** Judges signatures over nonces, and begins sessions with them. */
export class Logins {
  static readonly inject = {
    nonces: NonceStore,
    signatures: VerifyPresentSignature,
    policy: SignaturePolicy,
    certificates: LoginCertificates,
    authentications: AuthenticationStore,
    settings: UserSettingsStore,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof Logins.inject>) {}

  /** A new nonce in base64. */
  async nonce(): Promise<string> {
    return (await this.use.nonces.issue()).toString('base64')
  }

  /** Judges a signature as of now. The nonce is used up whatever comes of it: one nonce buys one attempt. */
  async prove(signed: { readonly nonce: string; readonly signature: string }): Promise<ProvedLogin> {
    const nonce = decodeNonce(signed.nonce)
    if (nonce === undefined) throw authErrors.error('invalidNonce', { reason: 'malformed' })
    if (!(await this.use.nonces.useUp(nonce))) throw authErrors.error('invalidNonce', { reason: 'unknownOrUsed' })
    const trusted = { algorithms: this.use.policy.algorithms, at: this.use.clock.now() }
    const signature = readLoginSignature(signed.signature, nonce, trusted)
    if (signature.signType === 'xml') await this.use.nonces.addUsed(signature.digests.map(({ value }) => value))
    const { certificates } = await this.use.signatures.verify(signature, loginRules[this.use.certificates])
    const { serialNumber, issuer } = signature.signer
    return {
      result: authenticationResult(signature),
      serialNumber,
      issuer: issuer.toString(),
      path: certificates.map(({ der }) => Buffer.from(der).toString('base64')),
    }
  }

  /**
   * Writes a login to the authentication log, gives its user settings, and begins a session; it ends with the certificate,
   * and after 12 hours.
   */
  async begin({ result, ...facts }: ProvedLogin, ip: string): Promise<Session> {
    const { userId: iin, businessId: bin, email, extKeyUsages: authorities } = result
    const authAt = this.use.clock.now()
    const sessionId = newLinkSecret()
    await this.use.database.transaction(async () => {
      await this.use.settings.ensure(iin, { email }, authAt)
      await this.use.authentications.add({ sessionId, authAt, goodAt: authAt, ...facts, ip, result })
    })
    return {
      caller: {
        ...(bin === undefined ? { kind: 'person', iin } : { kind: 'employee', iin, bin, authorities }),
        sessionId,
      },
      serialNumber: facts.serialNumber,
      authAt,
      endsAt: Math.min(authAt + LONGEST_SESSION, result.certificateValidUntil),
    }
  }
}
