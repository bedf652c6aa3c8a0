import { AuditStore } from '../audit/index.js'
import { Outbox } from '../events/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { DocumentLists } from './document-lists.js'
import { DocumentStore, type StoredDocument } from './document-store.js'
import { documentErrors } from './errors.js'
import { PackageRules } from './ports.js'
import type { EmailNotifications } from './schema.js'
import { settingsAfterSignature } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'
import { type CreatedProfiles, SignerProfiles } from './signer-profiles.js'
import { assertMaySign } from './signer-rules.js'
import { toStore } from './to-store.js'

/** What storing a signature gives. */
export interface StoredSignatureResult extends CreatedProfiles {
  readonly signId: number
}

interface SigningDetails {
  readonly storedAt: number
  readonly emailNotifications?: EmailNotifications | undefined
}

/** Puts one more verified signature under a document whose hashes it matches. */
export class StoreSignature {
  static readonly inject = [
    DocumentStore,
    SignatureStore,
    DocumentLists,
    SignerProfiles,
    AuditStore,
    PackageRules,
    Outbox,
  ] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly lists: DocumentLists,
    private readonly profiles: SignerProfiles,
    private readonly audit: AuditStore,
    private readonly packages: PackageRules,
    private readonly outbox: Outbox,
  ) {}

  /** Answers the `signId` and the settings that a first signature made. Runs in the caller's transaction and locks the document; its settings may refuse the signer. */
  async execute(
    documentId: string,
    verified: VerifiedSignature,
    details: SigningDetails,
  ): Promise<StoredSignatureResult> {
    const document = await this.documents.lock(documentId)
    await this.assertSignedAlone(document)
    return this.underLocked(document, verified, details)
  }

  /** Refuses documents of a package that is signed as a whole. */
  async assertSignedAlone({ packageId }: StoredDocument): Promise<void> {
    if (packageId !== undefined && (await this.packages.signedAsWhole(packageId))) {
      throw documentErrors.error('wholePackageRequired', { packageId })
    }
  }

  /** As `execute`, for a document that is locked already and is signed with all of its package. */
  async underLocked(
    document: StoredDocument,
    verified: VerifiedSignature,
    details: SigningDetails,
  ): Promise<StoredSignatureResult> {
    const { id: documentId, packageId } = document
    const { userId, businessId } = verified.facts
    await assertMaySign(verified.facts, document, this.signatures)
    await this.lists.addSigner(document, verified.facts)
    const signId = await this.signatures.add(toStore(verified, { documentId, ...details }))
    await this.documents.countSignature(documentId)
    await this.outbox.add({ type: 'signatureRegistered', documentId, packageId, signId, userId, businessId })

    const modified = settingsAfterSignature(document.settings, document.signaturesTotal + 1)
    if (modified !== document.settings) {
      await this.documents.changeSettings(documentId, modified)
      await this.audit.append({
        ownerKind: 'document',
        ownerId: documentId,
        original: document.settings,
        modified,
        modifiedBy: verified.facts.userId,
        modifiedAt: details.storedAt,
      })
    }
    return { signId, ...(await this.profiles.ensure(verified.facts, details.storedAt)) }
  }
}
