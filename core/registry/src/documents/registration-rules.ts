import { Limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { checkEmailNotifications } from './email-notifications.js'
import { checkTitles } from './file-name.js'
import type { DocumentSettings, EmailNotifications } from './schema.js'
import { checkDocumentSettings, SettingsOffered } from './settings-rules.js'

/** What a document is registered with, apart from its signature. */
interface Registration {
  readonly title?: string
  readonly description?: string
  readonly settings?: DocumentSettings
  readonly emailNotifications?: EmailNotifications
}

/** Refuses what no document can be registered with. */
export class RegistrationRules {
  static readonly inject = { offered: SettingsOffered, limits: Limits }

  constructor(private readonly use: Injected<typeof RegistrationRules.inject>) {}

  check({ title = '', description = '', settings = {}, emailNotifications }: Registration): void {
    checkTitles(title, description, this.use.limits)
    checkDocumentSettings(settings)
    this.use.offered.assert(settings)
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.use.limits)
  }
}
