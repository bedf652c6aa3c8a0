import Type, { type Static } from 'typebox'
import { AuditQuery, AuditStore, userAuditPage } from '../audit/index.js'
import { type Employee, type Person, people } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { UserChoices } from './schema.js'

/** Answer of `GET /api/settingsAudit`. */
export const UserSettingsAudit = Type.Object(
  { userId: Type.String(), ...userAuditPage(UserChoices.properties) },
  { $id: 'UserSettingsAudit' },
)
export type UserSettingsAudit = Static<typeof UserSettingsAudit>

/**
 * Lists the changes of the calling user's settings, oldest first (specification, `GET /api/settingsAudit`).
 * For the next page use `lastEventId`; an empty page is the end.
 */
export class GetUserSettingsAudit {
  static readonly operation = operation({
    id: 'getUserSettingsAudit',
    group: 'settings',
    at: 'GET /settingsAudit',
    who: people,
    summary: 'Read the changes of your settings; read on with lastEventId until events is empty',
    description: 'Oldest first. Events are never changed or removed.',
    query: AuditQuery,
    answer: UserSettingsAudit,
  })
  static readonly inject = { audit: AuditStore }

  constructor(private readonly use: Injected<typeof GetUserSettingsAudit.inject>) {}

  async execute(
    { iin: userId }: Person | Employee,
    { query }: Input<typeof GetUserSettingsAudit.operation> = {},
  ): Promise<UserSettingsAudit> {
    return { userId, ...(await this.use.audit.page<UserChoices>('user', userId, query)) }
  }
}
