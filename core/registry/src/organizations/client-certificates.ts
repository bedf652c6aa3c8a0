import { checkCount, checkLength } from '../kernel/field-length.js'
import type { Limits } from '../kernel/limits.js'
import { requestErrors } from '../kernel/request-errors.js'
import { checkPng, PngError, type PngSize } from '../png/index.js'
import { organizationErrors } from './errors.js'
import type { OrganizationLimits } from './limits.js'
import type { ClientCertificate, ClientCertificateRequest, ClientCertificateSettings } from './schema.js'
import { keyDigest, readTlsCertificate } from './tls-certificate.js'

/** A checked item; without `byKey` that setting stays as it was. */
export type GivenCertificate = Omit<ClientCertificate, 'byKey'> & { readonly byKey: boolean | undefined }

/** A checked list of client certificates. */
export interface ClientCertificates {
  readonly items: readonly GivenCertificate[]
  /** Digests of the public keys, hexadecimal, in the order of the items. */
  readonly keys: readonly string[]
  /** SHA-256 of the certificates, in the same form and order. */
  readonly fingerprints: readonly string[]
}

/** Characters of an unknown field's name in error details. */
const MAX_NAME = 64

type ListLimits = Limits & OrganizationLimits

/** Reads `tlsCertificatesList`; refusals name the field that is wrong. */
export function readClientCertificates(
  list: readonly ClientCertificateRequest[],
  limits: ListLimits,
): ClientCertificates {
  checkCount('tlsCertificatesList', list, limits.tlsCertificates)
  const keys = new Set<string>()
  const fingerprints: string[] = []
  const items = list.map((item, index) => {
    const at = `tlsCertificatesList[${index}]`
    const certificate = readTlsCertificate(item.body, at)
    const key = keyDigest(certificate).toString('hex')
    if (keys.has(key))
      throw organizationErrors.error('tlsCertificateNotUsable', { field: at, reason: 'keyListedTwice' })
    keys.add(key)
    fingerprints.push(certificate.fingerprint)
    return readItem(item, at, limits)
  })
  return { items, keys: [...keys], fingerprints }
}

/** The list to store; an omitted `byKey` keeps its value. `keysBefore` are the key digests of `before`. */
export const listedFrom = (
  { items, keys }: ClientCertificates,
  before: readonly ClientCertificate[],
  keysBefore: readonly string[],
): ClientCertificate[] =>
  items.map((item, position) => {
    const kept = before[keysBefore.indexOf(keys[position] ?? '')]
    return { ...item, byKey: item.byKey ?? kept?.byKey ?? false }
  })

function readItem(item: ClientCertificateRequest, at: string, limits: ListLimits): GivenCertificate {
  const { description = '', body, disabled = false, byKey, settings = {} } = item
  checkLength(`${at}.description`, description, limits.title)
  return { description, body, disabled, byKey, settings: readSettings(settings, `${at}.settings`, limits) }
}

// Field by field, so that unknown fields of a request are not stored.
function readSettings(given: ClientCertificateSettings, at: string, limits: ListLimits): ClientCertificateSettings {
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

/** The texts by language; an unknown language is refused. */
function texts<T extends object>(languages: readonly string[], given: T, field: string, max: number): T {
  for (const [language, text] of Object.entries(given)) {
    if (!languages.includes(language)) throw unknownLanguage(`${field}.${language.slice(0, MAX_NAME)}`, languages)
    checkLength(`${field}.${language}`, String(text), max)
  }
  return { ...given }
}

const unknownLanguage = (field: string, languages: readonly string[]) => {
  const path = `/${field.replaceAll('[', '.').replaceAll(']', '').replaceAll('.', '/')}`
  return requestErrors.error('invalidJsonStructure', {
    part: 'body',
    path,
    problem: `is no language: ${languages.join(', ')}`,
  })
}

const MAX_LOGO_BYTES = 64 * 1024
const MAX_BASE64 = Math.ceil(MAX_LOGO_BYTES / 3) * 4

const LOGO_SIZES: Readonly<Record<'qrLogo' | 'ddcLogo' | 'branding', (size: PngSize) => boolean>> = {
  qrLogo: ({ width, height }) => width <= 102 && height <= 102,
  ddcLogo: ({ width, height }) => width === 200 && height === 100,
  branding: ({ width, height }) => width <= 200 && height <= 100,
}

/** Refuses a logo that is too large, not a PNG, or of the wrong dimensions; details name the field. */
export function checkLogo(kind: keyof typeof LOGO_SIZES, base64: string, field: string = kind): void {
  if (base64.length > MAX_BASE64) throw organizationErrors.error('invalidLogoSize', { field, limit: MAX_LOGO_BYTES })
  const png = Buffer.from(base64, 'base64')
  if (png.toString('base64') !== base64)
    throw organizationErrors.error('invalidLogoFormat', { field, reason: 'base64' })
  try {
    checkPng(png, (size) => {
      if (LOGO_SIZES[kind](size)) return
      throw organizationErrors.error('invalidLogoResolution', { field, width: size.width, height: size.height })
    })
  } catch (error) {
    if (!(error instanceof PngError)) throw error
    throw organizationErrors.error('invalidLogoFormat', { field, reason: 'png' }, error)
  }
}
