import { AuditStore } from '../audit/index.js'
import { NonceGuard } from '../auth/index.js'
import { EventPublisher, type NewEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { type DataState, DataStates } from '../originals/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { DocumentLists } from './document-lists.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { newSignature } from './kept-signature.js'
import { PackageRules } from './ports.js'
import type { EmailNotifications } from './schema.js'
import { assertMaySign, settingsAfterSignature } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'
import { type CreatedProfiles, SignerProfiles } from './signer-profiles.js'

/** The result of storing a signature. */
export interface SigningResult extends CreatedProfiles, Pick<DataState, 'dataArchived' | 'canBeArchived'> {
  readonly signId: number
}

/** A verified signature to be added to a locked document whose hashes it matches. */
export interface Signing {
  readonly document: DocumentRecord
  readonly verified: VerifiedSignature
  readonly emailNotifications?: EmailNotifications | undefined
  /** Who requested its mails, if not the signer. */
  readonly askedBy?: string | undefined
}

/** Adds verified signatures to documents whose hashes they match. */
export class DocumentSigning {
  static readonly inject = {
    documents: DocumentStore,
    nonces: NonceGuard,
    signatures: SignatureStore,
    lists: DocumentLists,
    profiles: SignerProfiles,
    audit: AuditStore,
    packages: PackageRules,
    states: DataStates,
    events: EventPublisher,
  }

  constructor(private readonly use: Injected<typeof DocumentSigning.inject>) {}

  /** Returns the `signId` and the settings that a first signature created. Locks the document in the caller's transaction. */
  async add(
    documentId: string,
    verified: VerifiedSignature,
    { storedAt, ...details }: { storedAt: number } & Pick<Signing, 'emailNotifications' | 'askedBy'>,
  ): Promise<SigningResult> {
    const document = await this.use.documents.lock(documentId)
    await this.assertSignedAlone(document)
    await this.assertMaySign(document, verified, storedAt)
    const [stored] = await this.addLocked([{ document, verified, ...details }], storedAt)
    if (stored === undefined) throw new TypeError('One signature gives one result')
    return stored
  }

  /** Refuses documents of a package that is signed only as a whole. */
  async assertSignedAlone({ packageId }: DocumentRecord): Promise<void> {
    if (packageId !== undefined && (await this.use.packages.signedAsWhole(packageId))) {
      throw documentErrors.error('wholePackageRequired', { packageId })
    }
  }

  /** Refuses a signature over a nonce, and one that the settings of a locked document do not allow. */
  async assertMaySign(document: DocumentRecord, verified: VerifiedSignature, storedAt: number): Promise<void> {
    await this.use.nonces.refuseSignature(verified)
    await assertMaySign(verified.facts, { document, storedAt }, this.use.signatures)
  }

  /** Stores signatures that passed `assertMaySign`, at most one for each document. */
  async addLocked(
    signings: readonly Signing[],
    storedAt: number,
    marks: { readonly withWholePackage?: true } = {},
  ): Promise<SigningResult[]> {
    await this.use.lists.addSigners(signings.map(({ document, verified: { facts } }) => ({ document, facts })))
    const signIds = await this.use.signatures.addAll(
      signings.map(({ document, verified, emailNotifications }) =>
        newSignature(verified, { document, storedAt, emailNotifications }),
      ),
    )
    await this.use.documents.countSignatures(signings.map(({ document }) => document))
    const states = await this.use.states.ofAll(signings.map(({ document }) => document))
    const stored: SigningResult[] = []
    const events: NewEvent[] = []
    const greeted = new Set<string>()
    for (const { document, verified, askedBy } of signings) {
      const { userId, businessId } = verified.facts
      const { id: documentId, packageId } = document
      const signId = signIds.get(documentId)
      const state = states.get(documentId)
      if (signId === undefined || state === undefined) continue
      await this.followLimit(document, userId, storedAt)
      const signer = `${userId} ${businessId}`
      stored.push({
        signId,
        dataArchived: state.dataArchived,
        canBeArchived: state.canBeArchived,
        ...(greeted.has(signer) ? {} : await this.use.profiles.ensure(verified.facts, storedAt)),
      })
      greeted.add(signer)
      const signed = { documentId, packageId, signId, userId, businessId, askedBy }
      events.push({ type: 'signatureRegistered', ...signed, ...marks })
    }
    await this.use.events.publish(...events)
    return stored
  }

  private async followLimit(document: DocumentRecord, modifiedBy: string, modifiedAt: number) {
    const { id, settings } = document
    const signaturesTotal = document.signaturesTotal + 1
    const modified = settingsAfterSignature(settings, signaturesTotal)
    if (modified === settings) return
    await this.use.documents.changeSettings({ ...document, signaturesTotal }, modified)
    const change = { original: settings, modified, modifiedBy, modifiedAt }
    await this.use.audit.append({ ownerKind: 'document', ownerId: id, ...change })
  }
}
