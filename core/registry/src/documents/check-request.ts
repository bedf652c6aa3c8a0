import { type AccessRule, certificationAuthorities } from '../identity/index.js'
import { checkLength, fieldTooLarge } from '../kernel/field-length.js'
import { unknownField } from '../kernel/known-fields.js'
import type { Limits } from '../kernel/limits.js'
import { isEmailAddress, notificationErrors } from '../notifications/index.js'
import { documentErrors } from './errors.js'
import { isFileName } from './file-name.js'
import { DocumentSettings, type EmailNotifications } from './schema.js'

const LANGUAGES = /^(ru|kk|en)(\/(ru|kk|en)){0,2}$/
const OID = /^[0-2](\.(0|[1-9][0-9]*))+$/
const IIN = /^IIN\d{12}$/
const BIN = /^BIN\d{12}$/

/** Refuses a title or description that is too long, or a title that cannot be a file name. */
export function checkTitles(title: string, description: string, limits: Limits): void {
  checkLength('title', title, limits.title)
  checkLength('description', description, limits.description)
  if (!isFileName(title)) throw documentErrors.error('invalidDocumentTitle')
}

/** Refuses a request for e-mail that names too many, wrong or no addresses, or an unknown language. */
export function checkEmailNotifications(
  { to, language }: Pick<EmailNotifications, 'to' | 'language'>,
  limits: Limits,
): void {
  if (to.length > limits.emails) throw documentErrors.error('tooManyNotificationEmails', { limit: limits.emails })
  for (const address of to) {
    if (!isEmailAddress(address)) throw notificationErrors.error('invalidNotificationEmail')
  }
  if (language !== undefined && !LANGUAGES.test(language)) throw documentErrors.error('invalidNotificationLanguage')
}

/** Refuses settings that are too large, have a field that nobody knows (a typo must not open a document), or have a malformed identifier, an empty requirement or too many rules. */
export function checkDocumentSettings(settings: DocumentSettings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) > SETTINGS_MOST) throw fieldTooLarge('settings', SETTINGS_MOST)
  const refuse = (setting: string) => documentErrors.error('invalidDocumentSettings', { setting })
  const unknown = unknownField(DocumentSettings, settings)
  if (unknown !== undefined) throw refuse(unknown).with({ reason: 'unknown' })
  for (const rule of settings.signersRequirements ?? []) {
    const { iin, bin, authorities, ca } = rule
    if (iin === undefined && bin === undefined && authorities === undefined && ca === undefined) {
      throw refuse('signersRequirements')
    }
    if (!isSubject(iin, bin) || !(authorities ?? []).every((oid) => OID.test(oid))) throw refuse('signersRequirements')
    if (ca !== undefined && !Object.hasOwn(certificationAuthorities, ca)) throw refuse('signersRequirements')
  }
  if ((settings.signersRequirements?.length ?? 0) > RULES_MOST) throw refuse('signersRequirements')
  if (!areAccessRules(settings.documentAccess ?? [])) throw refuse('documentAccess')
}

const RULES_MOST = 1000
/** Bytes of all settings of a document, as JSON: every answer about it and every change carries them. */
const SETTINGS_MOST = 256 * 1024

/** False for a malformed identifier in a rule, and for too many rules. A rule without any names nobody. */
export const areAccessRules = (rules: readonly AccessRule[]): boolean =>
  rules.length <= RULES_MOST && rules.every(({ iin, bin }) => isSubject(iin, bin))

const isSubject = (iin: string | undefined, bin: string | undefined): boolean =>
  (iin === undefined || IIN.test(iin)) && (bin === undefined || BIN.test(bin))
