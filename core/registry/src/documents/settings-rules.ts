import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings } from './schema.js'

/** Settings that are usually given at registration: a change that omits them leaves them as they are. */
const KEPT = [
  'publicDuringPreregistration',
  'publicWhileLessThanSignatures',
  'forceArchive',
  'tempStorageAfterRegistration',
] as const

/**
 * The settings that replace a document's own: what is omitted takes its default, but what was given at registration is kept.
 * Refuses another `forceArchive`, and a limit below the count of signatures.
 */
export function replaceSettings(document: DocumentRecord, wanted: DocumentSettings): DocumentSettings {
  const { settings, signaturesTotal } = document
  const { forceArchive = false } = settings
  if ((wanted.forceArchive ?? forceArchive) !== forceArchive) {
    throw documentErrors.error('invalidDocumentSettings', { setting: 'forceArchive', reason: 'immutable' })
  }
  const kept: Pick<DocumentSettings, (typeof KEPT)[number]> = {}
  for (const field of KEPT) if (settings[field] !== undefined) Object.assign(kept, { [field]: settings[field] })
  const { signaturesLimit = 0 } = wanted
  if (signaturesLimit > 0 && signaturesLimit < signaturesTotal) {
    throw documentErrors.error('moreSignaturesThanLimit', { limit: signaturesLimit, signaturesTotal })
  }
  return { ...kept, ...wanted }
}

/** The settings after one more signature: the document turns private when its limit is reached and it asked for that. */
export function settingsAfterSignature(settings: DocumentSettings, signaturesTotal: number): DocumentSettings {
  const { signaturesLimit = 0, switchToPrivateAfterLimitReached = false } = settings
  const reached = signaturesLimit > 0 && signaturesTotal >= signaturesLimit
  return reached && switchToPrivateAfterLimitReached && !settings.private ? { ...settings, private: true } : settings
}
