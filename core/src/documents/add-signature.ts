import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { SignatureVerifier } from '../signatures/index.js'
import { checkEmailNotifications } from './check-request.js'
import { DocumentStore, type StoredDocument } from './document-store.js'
import { documentErrors } from './errors.js'
import type { AddedSignature, AddSignatureRequest } from './schema.js'
import { settingsAfterSignature } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'
import { assertSigned } from './signed-digests.js'
import { assertMaySign } from './signer-rules.js'
import { toStore } from './to-store.js'

/** Adds one more signature to a registered document (specification, `POST /api/{id}`). */
export class AddSignature {
  static readonly inject = [DocumentStore, SignatureStore, SignatureVerifier, Database, Clock, Limits] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly verifier: SignatureVerifier,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(_caller: Caller, documentId: string, request: AddSignatureRequest): Promise<AddedSignature> {
    const { signType = 'cms', signature, signatureEmailNotifications: emailNotifications } = request
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.limits)
    assertDigestsKnown(await this.documents.get(documentId))

    // Authorities are asked before the transaction begins: it must not wait for a network.
    const verified = await this.verifier.verify({ signType, signature })
    assertSigned(verified.signedDigests, await this.documents.digests(documentId))

    const storedAt = this.clock.now()
    const signId = await this.database.transaction(async () => {
      const document = await this.documents.lock(documentId)
      await assertMaySign(verified.facts, document, this.signatures)
      const id = await this.signatures.add(toStore(verified, { documentId, storedAt, emailNotifications }))
      await this.documents.countSignature(documentId)
      const settings = settingsAfterSignature(document.settings, document.signaturesTotal + 1)
      if (settings !== document.settings) await this.documents.changeSettings(documentId, settings)
      return id
    })
    return {
      documentId,
      signId,
      ...(verified.content && { data: Buffer.from(verified.content).toString('base64') }),
      dataArchived: false,
      canBeArchived: false,
    }
  }
}

function assertDigestsKnown(document: StoredDocument): void {
  if (document.digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')
}
