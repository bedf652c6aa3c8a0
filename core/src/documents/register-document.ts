import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { identityErrors } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { Limits } from '../kernel/limits.js'
import { SignatureVerifier } from '../signatures/index.js'
import { checkDocumentSettings, checkEmailNotifications, checkTitles } from './check-request.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import type { RegisterDocumentRequest, RegisteredDocument } from './schema.js'
import { SignatureStore } from './signature-store.js'
import { toStore } from './to-store.js'

/** Registers a new document together with its first signature (specification, `POST /api`). */
export class RegisterDocument {
  static readonly inject = [DocumentStore, SignatureStore, SignatureVerifier, Database, Clock, Limits] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly verifier: SignatureVerifier,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(_caller: Caller, request: RegisterDocumentRequest): Promise<RegisteredDocument> {
    const { title = '', description = '', signType = 'cms', signature, settings = {}, emailNotifications } = request
    for (const field of ['send', 'integrationRegisterAuto'] as const) {
      if (request[field] !== undefined) throw documentErrors.error('fieldNotSupported', { field })
    }
    checkTitles(title, description, this.limits)
    checkDocumentSettings(settings)
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.limits)
    // Preregistration, without a signature, is for information systems that have authenticated.
    if (signature === undefined) throw identityErrors.error('authenticationRequired')

    // Authorities are asked before the transaction begins: it must not wait for a network.
    const verified = await this.verifier.verify({ signType, signature })

    const documentId = newId()
    const storedAt = this.clock.now()
    const signId = await this.database.transaction(async () => {
      await this.documents.add({
        id: documentId,
        storedAt,
        title,
        description,
        signedDataSize: 0,
        digestsFixedAt: undefined,
        settings,
        emailNotifications,
        signaturesTotal: 1,
      })
      return this.signatures.add(toStore(verified, { documentId, storedAt }))
    })
    return { documentId, signId, ...(verified.content && { data: Buffer.from(verified.content).toString('base64') }) }
  }
}
