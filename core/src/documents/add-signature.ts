import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { SignatureVerifier, type VerifiedSignature } from '../signatures/index.js'
import { checkEmailNotifications } from './check-request.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { type AddedSignature, type AddSignatureRequest, EmailNotifications } from './schema.js'
import { assertSigned } from './signed-digests.js'
import { type StoredSignatureResult, StoreSignature } from './store-signature.js'

/** Adds one more signature to a registered document (specification, `POST /api/{id}`). */
export class AddSignature {
  static readonly inject = [DocumentStore, StoreSignature, SignatureVerifier, Database, Clock, Limits] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly store: StoreSignature,
    private readonly verifier: SignatureVerifier,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  /** The signature itself proves who signs, so any caller may bring it. */
  async execute(_caller: Caller, documentId: string, request: AddSignatureRequest): Promise<AddedSignature> {
    const { signType = 'cms', signature, signatureEmailNotifications } = request
    if (signatureEmailNotifications) checkEmailNotifications(signatureEmailNotifications, this.limits)
    const document = await this.documents.get(documentId)
    await this.store.assertSignedAlone(document)
    if (document.digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')

    // Authorities are asked before the transaction begins: it must not wait for a network.
    const verified = await this.verifier.verify({ signType, signature })
    assertSigned(verified.signedDigests, await this.documents.digests(documentId))

    const storedAt = this.clock.now()
    const emailNotifications =
      signatureEmailNotifications && knownFields(EmailNotifications, signatureEmailNotifications)
    const stored = await this.database.transaction(() =>
      this.store.execute(documentId, verified, { storedAt, emailNotifications }),
    )
    return addedSignature(documentId, stored, verified)
  }
}

/** What is answered about a signature that was added. */
export const addedSignature = (
  documentId: string,
  stored: StoredSignatureResult,
  { content }: Pick<VerifiedSignature, 'content'>,
): AddedSignature => ({
  documentId,
  ...stored,
  ...(content && { data: Buffer.from(content).toString('base64') }),
  dataArchived: false,
  canBeArchived: false,
})
