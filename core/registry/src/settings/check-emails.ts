import { isEmailAddress, notificationErrors } from '../notifications/index.js'

/** Refuses an address that is neither empty nor one mailbox; details name its field. */
export function checkEmails(fields: Readonly<Record<string, string | undefined>>): void {
  for (const [field, address] of Object.entries(fields)) {
    if (address !== undefined && address !== '' && !isEmailAddress(address)) {
      throw notificationErrors.error('invalidNotificationEmail', { field })
    }
  }
}

/** Refuses an archive that is enabled without an address to tell of its quota. */
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
