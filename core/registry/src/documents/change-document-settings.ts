import Type, { type Static } from 'typebox'
import { AuditStore, authorOf } from '../audit/index.js'
import { Database } from '../database/database.js'
import { byItself, type Caller, organizationOf, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { TemporaryStorage } from '../originals/index.js'
import { DocumentAccess } from './document-access.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { onDocument } from './on-document.js'
import { PackageRules } from './ports.js'
import { DocumentParams, DocumentSettings } from './schema.js'
import { checkDocumentSettings, replaceSettings, SettingsOffered } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'

/** Answer of `POST /api/{id}/settings`. */
export const ChangedDocument = Type.Object({ documentId: Type.String() }, { $id: 'ChangedDocument' })
export type ChangedDocument = Static<typeof ChangedDocument>

/** Replaces the settings of a document, as `replaceSettings` says (specification, `POST /api/{id}/settings`). */
export class ChangeDocumentSettings {
  static readonly operation = operation({
    id: 'changeDocumentSettings',
    group: 'documents',
    at: 'POST /:id/settings',
    who: byItself(onDocument('changeSettings')),
    summary: 'Replace the settings of a document; what is omitted takes its default',
    description:
      'Signers may, and who has the right `documentsSettings` in an organization of the document. What was given at registration is kept where it is omitted: publicDuringPreregistration, publicWhileLessThanSignatures, tempStorageAfterRegistration, and forceArchive, which cannot be changed. A stored original follows tempStorageAfterRegistration; it ends sooner where whoever registered the document asks for that. Each change is kept in the audit.',
    params: DocumentParams,
    request: DocumentSettings,
    json: { bytes: 512 * 1024, values: 20_000 },
    answer: ChangedDocument,
    refuses: ['fieldNotSupported', 'invalidDocumentSettings', 'shareTaken'],
  })
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    audit: AuditStore,
    offered: SettingsOffered,
    packages: PackageRules,
    signatures: SignatureStore,
    temporary: TemporaryStorage,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ChangeDocumentSettings.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, request: wanted }: Input<typeof ChangeDocumentSettings.operation>,
  ): Promise<ChangedDocument> {
    checkDocumentSettings(wanted)
    await this.use.database.transaction(async () => {
      const document = await this.use.documents.lock(documentId)
      // Checked again under the lock: the caller may have lost the right while waiting for it.
      await this.use.access.assertMay('changeSettings', caller, document)
      const modified = replaceSettings(document, knownFields(DocumentSettings, wanted))
      this.use.offered.assert(modified, document.settings)
      await this.use.documents.changeSettings(document, modified)
      await this.followTemporaryStorage(caller, document, modified)
      await this.use.audit.append({
        ownerKind: 'document',
        ownerId: documentId,
        original: document.settings,
        modified,
        ...authorOf(caller),
        modifiedAt: this.use.clock.now(),
      })
    })
    return { documentId }
  }

  /** Whoever extends the storage is charged for it. Only the registrator may shorten it: anybody may become a signer. */
  private async followTemporaryStorage(caller: Caller, document: DocumentRecord, settings: DocumentSettings) {
    const { tempStorageAfterRegistration = 0 } = settings
    if (tempStorageAfterRegistration === (document.settings.tempStorageAfterRegistration ?? 0)) return
    const mayEnd = await this.isRegisteredBy(caller, document)
    await this.use.temporary.follow({ ...document, settings }, ownerOf(caller), mayEnd)
  }

  /** Whether the caller registered it: the organization of the system, the package's registrator, or else the first signer. */
  private async isRegisteredBy(caller: Caller, { id, registrator, packageId }: DocumentRecord): Promise<boolean> {
    const bin = organizationOf(caller)
    if (registrator !== undefined) return registrator.bin === bin
    if (packageId !== undefined) return this.use.packages.registeredBy(packageId, caller)
    const [first] = await this.use.signatures.page(id, 0, 1)
    if (first === undefined || first.facts.businessId !== bin) return false
    return bin !== undefined || (caller.kind === 'person' && first.facts.userId === caller.iin)
  }
}
