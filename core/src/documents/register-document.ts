import { NonceGuard } from '../auth/index.js'
import { Database } from '../database/database.js'
import { type Happening, Outbox } from '../events/index.js'
import { type Caller, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { SignatureVerifier, type VerifiedSignature } from '../signatures/index.js'
import { checkDocumentSettings, checkEmailNotifications, checkTitles } from './check-request.js'
import type { StoredDocument } from './document-store.js'
import { documentErrors } from './errors.js'
import { Sending } from './ports.js'
import { registratorOf } from './registrator.js'
import {
  DocumentSettings,
  EmailNotifications,
  type RegisterDocumentRequest,
  type RegisteredDocument,
} from './schema.js'
import { settingsAfterSignature } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'
import { assertMeetsRequirements } from './signer-rules.js'
import { StoreDocument } from './store-document.js'
import { toStore } from './to-store.js'

/**
 * Registers a new document together with its first signature, or without one when an information system
 * preregisters it (specification, `POST /api`).
 */
export class RegisterDocument {
  static readonly inject = [
    StoreDocument,
    SignatureStore,
    SignatureVerifier,
    NonceGuard,
    Sending,
    Outbox,
    Database,
    Clock,
    Limits,
  ] as const

  constructor(
    private readonly store: StoreDocument,
    private readonly signatures: SignatureStore,
    private readonly verifier: SignatureVerifier,
    private readonly nonces: NonceGuard,
    private readonly sending: Sending,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, request: RegisterDocumentRequest): Promise<RegisteredDocument> {
    this.#check(request)
    const { signType = 'cms', signature } = request
    if (signature === undefined && caller.kind !== 'system') throw refusal(caller)
    const prepared = request.send && (await this.sending.prepare(caller, request.send))

    // Authorities are asked before the transaction begins: it must not wait for a network.
    const verified = signature === undefined ? undefined : await this.verifier.verify({ signType, signature })
    if (verified) await this.nonces.refuseSignature(verified)
    if (verified) assertMeetsRequirements(verified.facts, request.settings ?? {}, 0)

    const document = this.#document(caller, request, verified)
    const signId = await this.database.transaction(async () => {
      await this.store.execute(document, verified?.facts)
      const registered: Happening = { type: 'documentRegistered', documentId: document.id }
      const signed = verified && (await this.#sign(document, verified))
      await this.outbox.add(registered, ...(signed ? [signed] : []))
      if (prepared) await this.sending.send(prepared, { documentId: document.id }, false)
      return signed?.signId
    })
    return {
      documentId: document.id,
      ...(signId !== undefined && { signId }),
      ...(verified?.content && { data: Buffer.from(verified.content).toString('base64') }),
    }
  }

  async #sign({ id: documentId, storedAt }: StoredDocument, verified: VerifiedSignature) {
    const signId = await this.signatures.add(toStore(verified, { documentId, storedAt }))
    const { userId, businessId } = verified.facts
    return { type: 'signatureRegistered', documentId, signId, userId, businessId } as const
  }

  #check({
    title = '',
    description = '',
    settings = {},
    emailNotifications,
    ...request
  }: RegisterDocumentRequest): void {
    if (request.integrationRegisterAuto !== undefined) {
      throw documentErrors.error('fieldNotSupported', { field: 'integrationRegisterAuto' })
    }
    checkTitles(title, description, this.limits)
    checkDocumentSettings(settings)
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.limits)
    if (settings.publicDuringPreregistration && request.signature !== undefined) {
      throw documentErrors.error('invalidDocumentSettings', { setting: 'publicDuringPreregistration' })
    }
  }

  #document(
    caller: Caller,
    { title = '', description = '', settings: given = {}, emailNotifications }: RegisterDocumentRequest,
    verified: VerifiedSignature | undefined,
  ): StoredDocument {
    const settings = knownFields(DocumentSettings, given)
    return {
      id: newId(),
      storedAt: this.clock.now(),
      title,
      description,
      signedDataSize: 0,
      digestsFixedAt: undefined,
      settings: verified ? settingsAfterSignature(settings, 1) : settings,
      emailNotifications: emailNotifications && knownFields(EmailNotifications, emailNotifications),
      signaturesTotal: verified ? 1 : 0,
      preregistered: verified === undefined,
      packageId: undefined,
      registrator: registratorOf(caller),
    }
  }
}
