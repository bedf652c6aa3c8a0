import Type, { type Static } from 'typebox'

/** Kinds of mail by settings that a person may not want, while they want others. */
export const NOTIFICATION_KINDS = ['received', 'comments', 'decisions', 'reminders', 'turns'] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

const values = {
  emailNotificationsEnabled: Type.Boolean(),
  emailNotificationsRoutingEnabled: Type.Boolean({ description: 'about incoming and outgoing' }),
  email: Type.String({ description: 'may be empty' }),
  notificationsLanguage: Type.String({
    pattern: '^((ru|kk|en)(/(ru|kk|en)){0,2})?$',
    description: 'language of mails to this address, such as `kk/ru`; empty for that of the service; ours',
  }),
  notificationsOff: Type.Array(Type.Enum([...NOTIFICATION_KINDS]), {
    maxItems: NOTIFICATION_KINDS.length,
    description:
      'mails about incoming and outgoing that are not wanted: what was received, comments, decisions, reminders, whose turn it is to sign; ours',
  }),
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
