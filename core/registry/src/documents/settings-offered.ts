import type { Injected } from '../kernel/service.js'
import { KeepOriginals } from '../originals/index.js'
import { documentErrors } from './errors.js'
import { DocumentLimits } from './limits.js'
import { UniqueOrganizations } from './ports.js'
import type { DocumentSettings } from './schema.js'

/** Knows which well-formed settings this registry offers. */
export class SettingsOffered {
  static readonly inject = { keeping: KeepOriginals, limits: DocumentLimits, uniqueOrganizations: UniqueOrganizations }

  constructor(private readonly use: Injected<typeof SettingsOffered.inject>) {}

  /** Refuses what is asked for beyond that, unless the document has it already. */
  assert(wanted: DocumentSettings, before: DocumentSettings = {}): void {
    const { forceArchive = false, tempStorageAfterRegistration = 0, unique = [] } = wanted
    if (forceArchive !== (before.forceArchive ?? false)) this.assertStore(forceArchive, 'forceArchive')
    if (tempStorageAfterRegistration !== (before.tempStorageAfterRegistration ?? 0)) {
      this.assertStore(tempStorageAfterRegistration > 0, 'tempStorageAfterRegistration')
      const { tempStorageMs: limit } = this.use.limits
      if (tempStorageAfterRegistration > limit) throw refused('tempStorageAfterRegistration', { limit })
    }
    const isNew = unique.includes('bin') && !(before.unique ?? []).includes('bin')
    if (isNew && !this.use.uniqueOrganizations) throw refused('unique', { reason: 'bin' })
  }

  private assertStore(isNeeded: boolean, setting: string): void {
    if (!isNeeded || this.use.keeping.canKeep) return
    throw documentErrors.error('fieldNotSupported', { field: `settings.${setting}` })
  }
}

const refused = (setting: string, why: { limit: number } | { reason: string }) =>
  documentErrors.error('invalidDocumentSettings', { setting, ...why })
