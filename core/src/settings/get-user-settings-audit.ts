import { AuditStore } from '../audit/index.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import type { UserChoices, UserSettingsAudit } from './schema.js'
import { userOf } from './user.js'

/**
 * Answers the changes of the calling user's settings, oldest first (specification, `GET /api/settingsAudit`).
 * Read on with `lastEventId` until `events` is empty.
 */
export class GetUserSettingsAudit {
  static readonly inject = [AuditStore, Limits] as const

  constructor(
    private readonly audit: AuditStore,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, query: { lastEventId?: number | undefined } = {}): Promise<UserSettingsAudit> {
    const userId = userOf(caller)
    const page = await this.audit.page<UserChoices>(
      'user',
      userId,
      query.lastEventId ?? 0,
      this.limits.auditEventsPerCall,
    )
    return { userId, ...page }
  }
}
