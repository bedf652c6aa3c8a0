import Type, { type Static } from 'typebox'
import { type Employee, type Person, people } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { AuthenticationEvent, AuthenticationStore } from './authentication-store.js'
import { holder } from './schema.js'

/** Answer of `GET /api/authLog`. */
export const AuthenticationLog = Type.Object(
  {
    ...holder,
    eventsTotal: Type.Integer(),
    events: Type.Array(AuthenticationEvent, { description: 'the newest 100, newest first' }),
  },
  { $id: 'AuthenticationLog' },
)
export type AuthenticationLog = Static<typeof AuthenticationLog>

const NEWEST = 100

/** Lists when and from where the caller logged in, in the context of the session (specification, `GET /api/authLog`). */
export class GetAuthenticationLog {
  static readonly operation = operation({
    id: 'getAuthenticationLog',
    group: 'authentication',
    at: 'GET /authLog',
    who: people,
    summary: 'When and from where the caller logged in',
    description:
      'The newest 100 events, newest first, in the context of the session: as a person, or as an employee of one organization.',
    answer: AuthenticationLog,
  })
  static readonly inject = { authentications: AuthenticationStore }

  constructor(private readonly use: Injected<typeof GetAuthenticationLog.inject>) {}

  async execute(caller: Person | Employee): Promise<AuthenticationLog> {
    const { iin, bin } = { bin: undefined, ...caller }
    return {
      userId: iin,
      ...(bin !== undefined && { businessId: bin }),
      eventsTotal: await this.use.authentications.count({ iin, bin }),
      events: await this.use.authentications.newest({ iin, bin }, NEWEST),
    }
  }
}
