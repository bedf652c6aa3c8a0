import Type, { type Static } from 'typebox'

const values = {
  emailNotificationsEnabled: Type.Boolean(),
  emailNotificationsRoutingEnabled: Type.Boolean({ description: 'about incoming and outgoing' }),
  email: Type.String({ description: 'may be empty' }),
  dataArchiveEnabled: Type.Boolean({ description: 'needs dataArchiveContactEmail' }),
  dataArchiveContactEmail: Type.String({ description: 'may be empty' }),
}

/** The settings that a user can change; changes are audited. */
export const UserChoices = Type.Object(values)
export type UserChoices = Static<typeof UserChoices>

/** Archive quota and usage. */
export const archiveAccount = {
  dataArchiveQuota: Type.Integer({ description: 'bytes' }),
  dataArchiveQuotaExpires: Type.Optional(Type.Integer({ description: 'end of the additional quota' })),
  dataArchiveUsage: Type.Integer({ description: 'bytes stored' }),
}

/** Answer of `GET /api/settings` (specification, "User settings"). */
export const UserSettings = Type.Object(
  {
    userId: Type.String({ description: 'IIN' }),
    ...values,
    ...archiveAccount,
    modifiedAt: Type.Integer({ description: '0 when never saved' }),
  },
  { $id: 'UserSettings' },
)
export type UserSettings = Static<typeof UserSettings>
