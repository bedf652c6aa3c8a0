import { checkCount, checkLength } from '../kernel/field-length.js'
import type { Limits } from '../kernel/limits.js'
import { organizationErrors } from './errors.js'
import { checkLogo } from './logo.js'
import type { ClientCertificate, ClientCertificateRequest, ClientCertificateSettings } from './schema.js'
import { keyDigest, readTlsCertificate } from './tls-certificate.js'

/** A checked list of client certificates. */
export interface ClientCertificates {
  readonly items: ClientCertificate[]
  /** Digests of the public keys, hexadecimal, in the order of the items. */
  readonly keys: readonly string[]
}

/** Reads `tlsCertificatesList`; refusals name the field that is wrong. */
export function readClientCertificates(list: readonly ClientCertificateRequest[], limits: Limits): ClientCertificates {
  checkCount('tlsCertificatesList', list, limits.tlsCertificates)
  const keys = new Set<string>()
  const items = list.map((item, index) => {
    const at = `tlsCertificatesList[${index}]`
    const key = keyDigest(readTlsCertificate(item.body, at)).toString('hex')
    if (keys.has(key))
      throw organizationErrors.error('tlsCertificateNotUsable', { field: at, reason: 'keyListedTwice' })
    keys.add(key)
    return readItem(item, at, limits)
  })
  return { items, keys: [...keys] }
}

function readItem(item: ClientCertificateRequest, at: string, limits: Limits): ClientCertificate {
  const { description = '', body, disabled = false, settings = {} } = item
  checkLength(`${at}.description`, description, limits.title)
  return { description, body, disabled, settings: readSettings(settings, `${at}.settings`, limits) }
}

// Field by field: what a request says beyond these fields is not kept.
function readSettings(given: ClientCertificateSettings, at: string, limits: Limits): ClientCertificateSettings {
  const { ddcHowToVerifyStrings, qrOrganisationName, qrLogo, ddcLogo, ddcLogoString, ddcLogoDisable } = given
  const settings: ClientCertificateSettings = {}
  if (ddcHowToVerifyStrings) {
    const field = `${at}.ddcHowToVerifyStrings`
    settings.ddcHowToVerifyStrings = texts(['ru', 'kk'], ddcHowToVerifyStrings, field, limits.description)
  }
  if (qrOrganisationName) {
    const field = `${at}.qrOrganisationName`
    settings.qrOrganisationName = texts(['ru', 'kk', 'en'], qrOrganisationName, field, limits.title)
  }
  if (qrLogo !== undefined) {
    checkLogo('qrLogo', qrLogo, `${at}.qrLogo`)
    settings.qrLogo = qrLogo
  }
  if (ddcLogo !== undefined) {
    checkLogo('ddcLogo', ddcLogo, `${at}.ddcLogo`)
    settings.ddcLogo = ddcLogo
  }
  if (ddcLogoString) {
    settings.ddcLogoString = texts(['ru', 'kk'], ddcLogoString, `${at}.ddcLogoString`, limits.title)
  }
  if (ddcLogoDisable !== undefined) settings.ddcLogoDisable = ddcLogoDisable
  return settings
}

function texts<L extends string>(
  languages: readonly L[],
  given: Readonly<Record<L, string>>,
  field: string,
  most: number,
): Record<L, string> {
  const kept = { ...given }
  for (const language of languages) checkLength(`${field}.${language}`, given[language], most)
  for (const language in kept) if (!languages.includes(language)) delete kept[language]
  return kept
}
