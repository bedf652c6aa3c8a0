import { AuditStore } from '../audit/index.js'
import { type Happening, Outbox } from '../events/index.js'
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

/** A verified signature on its way under a document that is locked and whose hashes it matches. */
export interface Signing {
  readonly document: StoredDocument
  readonly verified: VerifiedSignature
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
    details: { storedAt: number; emailNotifications?: EmailNotifications | undefined },
  ): Promise<StoredSignatureResult> {
    const { storedAt, emailNotifications } = details
    const document = await this.documents.lock(documentId)
    await this.assertSignedAlone(document)
    await this.assertMaySign(document, verified)
    const [stored] = await this.underLocked([{ document, verified, emailNotifications }], storedAt)
    if (stored === undefined) throw new TypeError('One signature gives one result')
    return stored
  }

  /** Refuses documents of a package that is signed as a whole. */
  async assertSignedAlone({ packageId }: StoredDocument): Promise<void> {
    if (packageId !== undefined && (await this.packages.signedAsWhole(packageId))) {
      throw documentErrors.error('wholePackageRequired', { packageId })
    }
  }

  /** Refuses a signature that the settings of a locked document do not allow. */
  async assertMaySign(document: StoredDocument, { facts }: VerifiedSignature): Promise<void> {
    await assertMaySign(facts, document, this.signatures)
  }

  /** Puts signatures that `assertMaySign` let pass under their documents, at most one under each. */
  async underLocked(signings: readonly Signing[], storedAt: number): Promise<StoredSignatureResult[]> {
    await this.lists.addSigners(signings.map(({ document, verified: { facts } }) => ({ document, facts })))
    const signIds = await this.signatures.addAll(
      signings.map(({ document, verified, emailNotifications }) =>
        toStore(verified, { documentId: document.id, storedAt, emailNotifications }),
      ),
    )
    await this.documents.countSignatures(signings.map(({ document }) => document.id))
    const stored: StoredSignatureResult[] = []
    const happenings: Happening[] = []
    const greeted = new Set<string>()
    for (const { document, verified } of signings) {
      const { userId, businessId } = verified.facts
      const { id: documentId, packageId } = document
      const signId = signIds.get(documentId)
      if (signId === undefined) continue
      await this.#followLimit(document, userId, storedAt)
      const signer = `${userId} ${businessId}`
      stored.push({ signId, ...(greeted.has(signer) ? {} : await this.profiles.ensure(verified.facts, storedAt)) })
      greeted.add(signer)
      happenings.push({ type: 'signatureRegistered', documentId, packageId, signId, userId, businessId })
    }
    await this.outbox.add(...happenings)
    return stored
  }

  async #followLimit({ id, settings, signaturesTotal }: StoredDocument, modifiedBy: string, modifiedAt: number) {
    const modified = settingsAfterSignature(settings, signaturesTotal + 1)
    if (modified === settings) return
    await this.documents.changeSettings(id, modified)
    const change = { original: settings, modified, modifiedBy, modifiedAt }
    await this.audit.append({ ownerKind: 'document', ownerId: id, ...change })
  }
}
