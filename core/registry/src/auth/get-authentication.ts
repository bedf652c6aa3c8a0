import { type Employee, identityErrors, type Person, people } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { AuthenticationStore } from './authentication-store.js'
import { AuthenticationResult } from './schema.js'

/** Returns the authentication result of the caller's session (specification, `GET /api/auth`). */
export class GetAuthentication {
  static readonly operation = operation({
    id: 'getAuthentication',
    group: 'authentication',
    at: 'GET /auth',
    who: people,
    summary: 'Who is logged in',
    description: 'The caller of this session or certificate. Without either: `Authentication required`.',
    answer: AuthenticationResult,
  })
  static readonly inject = { authentications: AuthenticationStore }

  constructor(private readonly use: Injected<typeof GetAuthentication.inject>) {}

  async execute(person: Person | Employee): Promise<AuthenticationResult> {
    const result = await this.use.authentications.result(person)
    if (result === undefined) throw identityErrors.error('authenticationRequired')
    return result
  }
}
