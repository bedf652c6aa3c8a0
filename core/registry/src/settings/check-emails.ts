import { isEmailAddress, notificationErrors } from '../notifications/index.js'

/** Refuses a value that is neither empty nor a single address; details name the field. */
export function checkEmails(fields: Readonly<Record<string, string | undefined>>): void {
  for (const [field, address] of Object.entries(fields)) {
    if (address !== undefined && address !== '' && !isEmailAddress(address)) {
      throw notificationErrors.error('invalidNotificationEmail', { field })
    }
  }
}

/** Refuses an enabled archive without a contact address for its quota. */
export function checkArchiveContact(settings: {
  readonly dataArchiveEnabled: boolean
  readonly dataArchiveContactEmail: string
}): void {
  if (settings.dataArchiveEnabled && settings.dataArchiveContactEmail === '') {
    throw notificationErrors.error('invalidNotificationEmail', {
      field: 'dataArchiveContactEmail',
      reason: 'neededByDataArchiveEnabled',
    })
  }
}
