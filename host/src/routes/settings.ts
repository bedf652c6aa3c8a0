import {
  GetUserSettings,
  GetUserSettingsAudit,
  type Registry,
  SavedUserSettings,
  SaveUserSettings,
  SaveUserSettingsRequest,
  UserSettings,
  UserSettingsAudit,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { operation } from './operation.js'

/** A page of a settings audit. */
export const AuditPage = Type.Object({
  lastEventId: Type.Optional(Type.Integer({ description: 'answer the events after this one' })),
})

/** Settings of the calling user. */
export function settingsRoutes(app: Api, registry: Registry): void {
  const getUserSettings = registry.get(GetUserSettings)
  const saveUserSettings = registry.get(SaveUserSettings)
  const getUserSettingsAudit = registry.get(GetUserSettingsAudit)
  addComponents(app, [UserSettings, SaveUserSettingsRequest, SavedUserSettings, UserSettingsAudit])

  app.get(
    '/settings',
    { schema: operation('getUserSettings', 'settings', 'Read your settings', {}, ref(UserSettings)) },
    ({ caller }) => getUserSettings.execute(caller),
  )

  app.post(
    '/settings',
    {
      schema: operation(
        'saveUserSettings',
        'settings',
        'Change your settings; omitted fields keep their values',
        { body: ref(SaveUserSettingsRequest) },
        ref(SavedUserSettings),
      ),
    },
    ({ caller, body }) => saveUserSettings.execute(caller, body),
  )

  app.get(
    '/settingsAudit',
    {
      schema: operation(
        'getUserSettingsAudit',
        'settings',
        'Read the changes of your settings; read on with lastEventId until events is empty',
        { querystring: AuditPage },
        ref(UserSettingsAudit),
      ),
    },
    ({ caller, query }) => getUserSettingsAudit.execute(caller, query),
  )
}
