import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { UserSettingsStore } from '../settings/index.js'
import { authenticationRules, VerifyPresentSignature } from '../signatures/index.js'
import { authenticationResult } from './authentication-result.js'
import { AuthenticationStore, type NewAuthentication } from './authentication-store.js'
import { refuseSystems } from './callers.js'
import { authErrors } from './errors.js'
import { decodeNonce } from './nonce.js'
import { NonceStore } from './nonce-store.js'
import { readLoginSignature } from './read-login-signature.js'
import type { AuthenticationRequest, AuthenticationResult } from './schema.js'

/** A nonce with a signature over it. */
export type SignedNonce = Required<Pick<AuthenticationRequest, 'nonce' | 'signature'>> &
  Pick<AuthenticationRequest, 'external'>

/** An authentication that a session may begin with. */
export interface Authentication {
  /** Number by which `GetAuthentication` finds the result again. */
  readonly id: number
  readonly authAt: number
  /** Serial number of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
}

/** Who authenticated; `authentication` is absent in external mode. */
export interface Authenticated {
  readonly result: AuthenticationResult
  readonly authentication?: Authentication
}

/**
 * Identifies somebody by their signature over a nonce, judged as of now (specification, `POST /api/auth`, authenticate).
 * Internally it is written to the authentication log and the user gets settings; externally nothing is kept.
 */
export class Authenticate {
  static readonly inject = [
    NonceStore,
    VerifyPresentSignature,
    AuthenticationStore,
    UserSettingsStore,
    Database,
    Clock,
  ] as const

  constructor(
    private readonly nonces: NonceStore,
    private readonly verify: VerifyPresentSignature,
    private readonly authentications: AuthenticationStore,
    private readonly settings: UserSettingsStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** `from.ip` is the address that the request came from. */
  async execute(caller: Caller, request: SignedNonce, from: { readonly ip: string }): Promise<Authenticated> {
    refuseSystems(caller)
    const nonce = decodeNonce(request.nonce)
    if (nonce === undefined) throw authErrors.error('invalidNonce', { reason: 'malformed' })
    // Used up whatever comes of it: one nonce buys one attempt.
    if (!(await this.nonces.consume(nonce, this.clock.now()))) {
      throw authErrors.error('invalidNonce', { reason: 'unknownOrUsed' })
    }
    const signature = readLoginSignature(request.signature, nonce)
    if (signature.signType === 'xml') {
      await this.nonces.addUsed(
        signature.digests.map(({ value }) => value),
        this.clock.now(),
      )
    }
    await this.verify.execute(signature, authenticationRules)
    const result = authenticationResult(signature)
    if (request.external) return { result }

    const { signer } = signature
    const entry = {
      authAt: this.clock.now(),
      serialNumber: signer.serialNumber,
      issuer: signer.issuer.toString(),
      ip: from.ip,
      result,
    }
    const id = await this.#keep(entry)
    return { result, authentication: { id, authAt: entry.authAt, serialNumber: entry.serialNumber } }
  }

  #keep(entry: NewAuthentication): Promise<number> {
    const { userId, email } = entry.result
    return this.database.transaction(async () => {
      await this.settings.ensure(userId, { email }, entry.authAt)
      return this.authentications.add(entry)
    })
  }
}
