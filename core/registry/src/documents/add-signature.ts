import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { anyone, type Caller, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner } from '../notifications/index.js'
import { SignatureVerifier, signatureInput, type VerifiedSignature } from '../signatures/index.js'
import { DocumentSigning, type SigningResult } from './document-signing.js'
import { DocumentStore } from './document-store.js'
import { checkEmailNotifications } from './email-notifications.js'
import { documentErrors } from './errors.js'
import { assertSigned } from './kept-signature.js'
import { KnownDigests } from './known-digests.js'
import { createdProfiles, DocumentParams, EmailNotifications } from './schema.js'

/** Request of `POST /api/{id}`. */
export const AddSignatureRequest = Type.Object(
  { ...signatureInput, signatureEmailNotifications: Type.Optional(EmailNotifications) },
  { $id: 'AddSignatureRequest' },
)
export type AddSignatureRequest = Static<typeof AddSignatureRequest>

/** Answer of `POST /api/{id}`. */
export const AddedSignature = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Integer(),
    data: Type.Optional(Type.String({ description: 'base64 of the data that the CMS carried' })),
    dataArchived: Type.Boolean(),
    canBeArchived: Type.Boolean(),
    ...createdProfiles,
  },
  { $id: 'AddedSignature' },
)
export type AddedSignature = Static<typeof AddedSignature>

/** Adds one more signature to a registered document (specification, `POST /api/{id}`). */
export class AddSignature {
  static readonly operation = operation({
    id: 'addSignature',
    group: 'documents',
    at: 'POST /:id',
    who: anyone(': the signature is the proof'),
    summary: 'Add a signature to a document',
    description:
      'Anybody who has the identifier may, as far as settings allow: the signature has to be over the data whose hashes are fixed. Nothing is stored of a signature that is refused.',
    params: DocumentParams,
    request: AddSignatureRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: AddedSignature,
    idempotent: true,
    refuses: [
      'badSignerCertificate',
      'digestsUpdateRequired',
      'documentDigestsNotKnown',
      'documentNotFound',
      'invalidCertificateStatus',
      'invalidDocumentIdentifier',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidSignature',
      'mailLimitReached',
      'signatureAlreadySubmitted',
      'signatureDoesNotConform',
      'signatureDoesNotCorrespond',
      'signatureNotParsed',
      'signaturesLimitReached',
      'signingDeadlinePassed',
      'tooManyNotificationEmails',
      'wholePackageRequired',
    ],
  })
  static readonly inject = {
    documents: DocumentStore,
    digests: KnownDigests,
    store: DocumentSigning,
    verifier: SignatureVerifier,
    mailBudget: MailBudget,
    database: Database,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof AddSignature.inject>) {}

  /** The signature itself proves who signs, so any caller may send it. `askedBy` requested its mails, if not the signer. */
  async execute(
    caller: Caller,
    { id: documentId, request, keep = keepNothing }: Input<typeof AddSignature.operation>,
    askedBy = caller.kind === 'system' ? ownerOf(caller) : undefined,
  ): Promise<AddedSignature> {
    const { signType = 'cms', signature, signatureEmailNotifications } = request
    if (signatureEmailNotifications) checkEmailNotifications(signatureEmailNotifications, this.use.limits)
    const document = await this.use.documents.get(documentId)
    await this.use.store.assertSignedAlone(document)
    if (document.digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')

    // Authorities are asked outside the transaction, which must not wait for the network.
    const verified = await this.use.verifier.verify({ signType, signature })
    const { signedDigests } = verified
    assertSigned(signedDigests, await this.use.digests.of(documentId, signedDigests.keys()))

    const storedAt = this.use.clock.now()
    const emailNotifications =
      signatureEmailNotifications && knownFields(EmailNotifications, signatureEmailNotifications)
    return this.use.database.transaction(async () => {
      const stored = await this.use.store.add(documentId, verified, { storedAt, emailNotifications, askedBy })
      await this.use.mailBudget.take(askedBy ?? payerOfSigner(verified.facts), emailNotifications?.to)
      return keep(addedSignature(documentId, stored, verified))
    })
  }
}

/** The answer about a signature that was added. */
export const addedSignature = (
  documentId: string,
  stored: SigningResult,
  { content }: Pick<VerifiedSignature, 'content'>,
): AddedSignature => ({
  documentId,
  ...stored,
  ...(content && { data: Buffer.from(content).toString('base64') }),
})
