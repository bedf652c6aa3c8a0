import type { Limits } from '../kernel/limits.js'
import { isEmailAddress, notificationErrors } from '../notifications/index.js'
import { documentErrors } from './errors.js'
import type { EmailNotifications } from './schema.js'

const LANGUAGES = /^(ru|kk|en)(\/(ru|kk|en)){0,2}$/

/** Refuses e-mail notifications with too many, invalid or no addresses, or with an unknown language. */
export function checkEmailNotifications(
  { to, language }: Pick<EmailNotifications, 'to' | 'language'>,
  limits: Limits,
): void {
  if (to.length > limits.emails) throw documentErrors.error('tooManyNotificationEmails', { limit: limits.emails })
  const wrong = to.findIndex((address) => !isEmailAddress(address))
  if (wrong >= 0)
    throw notificationErrors.error('invalidNotificationEmail', { field: 'emailNotifications.to', index: wrong })
  if (language !== undefined && !LANGUAGES.test(language)) throw documentErrors.error('invalidNotificationLanguage')
}
