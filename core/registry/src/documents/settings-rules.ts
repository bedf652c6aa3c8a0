import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings } from './schema.js'

/** Given at registration or preregistration, and never changed after. */
const IMMUTABLE = [
  'publicDuringPreregistration',
  'publicWhileLessThanSignatures',
  'forceArchive',
  'tempStorageAfterRegistration',
] as const

/**
 * The settings that replace a document's own: what is omitted takes its default, but what cannot be changed is kept.
 * Refuses a different value for it, and a limit below the count of signatures.
 */
export function replaceSettings(document: DocumentRecord, wanted: DocumentSettings): DocumentSettings {
  const { settings, signaturesTotal } = document
  const kept: Pick<DocumentSettings, (typeof IMMUTABLE)[number]> = {}
  for (const field of IMMUTABLE) {
    if (wanted[field] !== undefined && wanted[field] !== settings[field]) {
      throw documentErrors.error('invalidDocumentSettings', { setting: field, reason: 'immutable' })
    }
    if (settings[field] !== undefined) Object.assign(kept, { [field]: settings[field] })
  }
  const { signaturesLimit = 0 } = wanted
  if (signaturesLimit > 0 && signaturesLimit < signaturesTotal) {
    throw documentErrors.error('moreSignaturesThanLimit', { limit: signaturesLimit, signaturesTotal })
  }
  return { ...wanted, ...kept }
}

/** The settings after one more signature: the document turns private when its limit is reached and it asked for that. */
export function settingsAfterSignature(settings: DocumentSettings, signaturesTotal: number): DocumentSettings {
  const { signaturesLimit = 0, switchToPrivateAfterLimitReached = false } = settings
  const reached = signaturesLimit > 0 && signaturesTotal >= signaturesLimit
  return reached && switchToPrivateAfterLimitReached && !settings.private ? { ...settings, private: true } : settings
}
