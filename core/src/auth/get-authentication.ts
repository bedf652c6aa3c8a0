import { type Caller, identityErrors } from '../identity/index.js'
import { AuthenticationStore } from './authentication-store.js'
import { personOf } from './callers.js'
import type { AuthenticationResult } from './schema.js'

/** Answers again what the caller's session began with (specification, `GET /api/auth`). */
export class GetAuthentication {
  static readonly inject = [AuthenticationStore] as const

  constructor(private readonly authentications: AuthenticationStore) {}

  /** `id` is that of `Authentication`. */
  async execute(caller: Caller, id: number): Promise<AuthenticationResult> {
    const result = await this.authentications.result(id, personOf(caller))
    if (result === undefined) throw identityErrors.error('authenticationRequired')
    return result
  }
}
