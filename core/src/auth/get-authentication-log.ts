import type { Caller } from '../identity/index.js'
import { AuthenticationStore } from './authentication-store.js'
import { personOf } from './callers.js'
import type { AuthenticationLog } from './schema.js'

const NEWEST = 100

/** Answers when and from where the caller logged in, in the context of the session (specification, `GET /api/authLog`). */
export class GetAuthenticationLog {
  static readonly inject = [AuthenticationStore] as const

  constructor(private readonly authentications: AuthenticationStore) {}

  async execute(caller: Caller): Promise<AuthenticationLog> {
    const person = personOf(caller)
    const { iin, bin } = { bin: undefined, ...person }
    return {
      userId: iin,
      ...(bin !== undefined && { businessId: bin }),
      eventsTotal: await this.authentications.count({ iin, bin }),
      events: await this.authentications.newest({ iin, bin }, NEWEST),
    }
  }
}
