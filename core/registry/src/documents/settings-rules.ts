import { type AccessRule, certificationAuthorities } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { fieldTooLarge } from '../kernel/field-length.js'
import { unknownField } from '../kernel/known-fields.js'
import type { Injected } from '../kernel/service.js'
import { KeepOriginals } from '../originals/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import { DocumentLimits } from './limits.js'
import { UniqueOrganizations } from './ports.js'
import { DocumentSettings } from './schema.js'
import type { SignatureStore } from './signature-store.js'
import { meetsRequirement } from './signer-requirements.js'

const OID = /^[0-2](\.(0|[1-9][0-9]*))+$/
const IIN = /^IIN\d{12}$/
const BIN = /^BIN\d{12}$/
const MAX_RULES = 1000
/** How far ahead the last moment for signatures may be. */
const MAX_SIGNING_MS = 5 * 366 * 24 * 60 * 60_000
/** Bytes of all settings of a document as JSON, which are part of every answer and audit event. */
const MAX_SETTINGS = 256 * 1024

/** Refuses settings that are too large or malformed, or have an unknown field: a typo must not open a document. */
export function checkDocumentSettings(settings: DocumentSettings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) > MAX_SETTINGS) throw fieldTooLarge('settings', MAX_SETTINGS)
  const unknown = unknownField(DocumentSettings, settings)
  if (unknown !== undefined) throw invalid(unknown, { reason: 'unknown' })
  for (const rule of settings.signersRequirements ?? []) {
    const { iin, bin, authorities, ca } = rule
    if (iin === undefined && bin === undefined && authorities === undefined && ca === undefined) {
      throw invalid('signersRequirements')
    }
    if (!isSubject(iin, bin) || !(authorities ?? []).every((oid) => OID.test(oid))) throw invalid('signersRequirements')
    if (ca !== undefined && !Object.hasOwn(certificationAuthorities, ca)) throw invalid('signersRequirements')
  }
  if ((settings.signersRequirements?.length ?? 0) > MAX_RULES) throw invalid('signersRequirements')
  if (!areAccessRules(settings.documentAccess ?? [])) throw invalid('documentAccess')
}

/** False for a malformed identifier in a rule, and for too many rules. A rule without identifiers matches nobody. */
export const areAccessRules = (rules: readonly AccessRule[]): boolean =>
  rules.length <= MAX_RULES && rules.every(({ iin, bin }) => isSubject(iin, bin))

const isSubject = (iin: string | undefined, bin: string | undefined): boolean =>
  (iin === undefined || IIN.test(iin)) && (bin === undefined || BIN.test(bin))

/** Settings that are usually given at registration: a change that omits them does not reset them. */
const STICKY = [
  'publicDuringPreregistration',
  'publicWhileLessThanSignatures',
  'forceArchive',
  'tempStorageAfterRegistration',
] as const

/**
 * The settings that replace a document's own: omitted ones take their defaults, except those of registration.
 * Refuses another `forceArchive`, and a limit below the count of signatures.
 */
export function replaceSettings(document: DocumentRecord, wanted: DocumentSettings): DocumentSettings {
  const { settings, signaturesTotal } = document
  const { forceArchive = false } = settings
  if ((wanted.forceArchive ?? forceArchive) !== forceArchive) {
    throw invalid('forceArchive', { reason: 'immutable' })
  }
  const kept: Pick<DocumentSettings, (typeof STICKY)[number]> = {}
  for (const field of STICKY) if (settings[field] !== undefined) Object.assign(kept, { [field]: settings[field] })
  const { signaturesLimit = 0 } = wanted
  if (signaturesLimit > 0 && signaturesLimit < signaturesTotal) {
    throw documentErrors.error('moreSignaturesThanLimit', { limit: signaturesLimit, signaturesTotal })
  }
  return { ...kept, ...wanted }
}

/** The settings after one more signature: at its limit the document turns private if they say so. */
export function settingsAfterSignature(settings: DocumentSettings, signaturesTotal: number): DocumentSettings {
  const { signaturesLimit = 0, switchToPrivateAfterLimitReached = false } = settings
  const reached = signaturesLimit > 0 && signaturesTotal >= signaturesLimit
  return reached && switchToPrivateAfterLimitReached && !settings.private ? { ...settings, private: true } : settings
}

/** Refuses well-formed settings that this registry does not offer. */
export class SettingsOffered {
  static readonly inject = {
    keeping: KeepOriginals,
    limits: DocumentLimits,
    uniqueOrganizations: UniqueOrganizations,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof SettingsOffered.inject>) {}

  /** Accepts what the document has already. */
  assert(wanted: DocumentSettings, before: DocumentSettings = {}): void {
    const { forceArchive = false, tempStorageAfterRegistration = 0, unique = [] } = wanted
    if (forceArchive !== (before.forceArchive ?? false)) this.assertStore(forceArchive, 'forceArchive')
    if (tempStorageAfterRegistration !== (before.tempStorageAfterRegistration ?? 0)) {
      this.assertStore(tempStorageAfterRegistration > 0, 'tempStorageAfterRegistration')
      const { tempStorageMs: limit } = this.use.limits
      if (tempStorageAfterRegistration > limit) throw invalid('tempStorageAfterRegistration', { limit })
    }
    const isNew = unique.includes('bin') && !(before.unique ?? []).includes('bin')
    if (isNew && !this.use.uniqueOrganizations) throw invalid('unique', { reason: 'bin' })
    if (wanted.signUntil !== undefined && wanted.signUntil !== before.signUntil) this.assertAhead(wanted.signUntil)
  }

  private assertAhead(signUntil: number): void {
    const ahead = signUntil - this.use.clock.now()
    if (ahead <= 0) throw invalid('signUntil', { reason: 'past' })
    if (ahead > MAX_SIGNING_MS) throw invalid('signUntil', { limit: MAX_SIGNING_MS })
  }

  private assertStore(isNeeded: boolean, setting: string): void {
    if (!isNeeded || this.use.keeping.canKeep) return
    throw documentErrors.error('fieldNotSupported', { field: `settings.${setting}` })
  }
}

const invalid = (setting: string, why: { limit?: number; reason?: string } = {}) =>
  documentErrors.error('invalidDocumentSettings', { setting, ...why })

/**
 * Refuses a signature, stored at this time, that the settings of its document do not allow: last moment, limit, uniqueness,
 * requirements to signers. The document must be locked, so that the counts stay valid.
 */
export async function assertMaySign(
  facts: SignatureFacts,
  { document, storedAt }: { readonly document: DocumentRecord; readonly storedAt: number },
  signatures: SignatureStore,
): Promise<void> {
  const { id, settings, signaturesTotal } = document
  const { signaturesLimit = 0, unique = [] } = settings
  assertInTime(settings, storedAt)
  if (signaturesLimit > 0 && signaturesTotal >= signaturesLimit) {
    throw documentErrors.error('signaturesLimitReached', { limit: signaturesLimit })
  }
  if (unique.includes('iin') && (await signatures.signedByPerson(id, facts.userId))) throw refused('unique', 'iin')
  if (unique.includes('bin') && facts.businessId && (await signatures.signedByOrganization(id, facts.businessId))) {
    throw refused('unique', 'bin')
  }
  assertMeetsRequirements(facts, settings, signaturesTotal)
}

/**
 * Refuses what comes after the last moment for signatures. What counts is when a signature arrives: a time stamp does not say
 * that anybody was told of it in time.
 */
export function assertInTime({ signUntil }: DocumentSettings, now: number): void {
  if (signUntil !== undefined && now >= signUntil) throw documentErrors.error('signingDeadlinePassed', { signUntil })
}

/** Refuses a signer who meets none of the requirements, or not the next one; `before` counts earlier signatures. */
export function assertMeetsRequirements(facts: SignatureFacts, settings: DocumentSettings, before: number): void {
  const {
    signersRequirements = [],
    strictSignersRequirements = false,
    sequentialSignersRequirements = false,
  } = settings
  if (signersRequirements.length === 0) return
  if (before === 0 && !strictSignersRequirements) return
  const inTurn = sequentialSignersRequirements ? signersRequirements.slice(before, before + 1) : signersRequirements
  if (!inTurn.some((requirement) => meetsRequirement(facts, requirement))) throw refused('signersRequirements')
}

const refused = (setting: string, value?: string) =>
  documentErrors.error('signatureDoesNotConform', { setting, ...(value && { value }) })
