import Type, { type Static } from 'typebox'
import { NonceGuard } from '../auth/index.js'
import { type Caller, organizationOf, refusal, told } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOf } from '../notifications/index.js'
import { Subscriptions } from '../organizations/index.js'
import { SignatureVerifier, signatureInput, type VerifiedSignature } from '../signatures/index.js'
import { DigestFixing, FixedDigests } from './digest-fixing.js'
import { DocumentVersions } from './document-versions.js'
import { documentErrors } from './errors.js'
import { type NewDocument, NewDocuments, newDocument } from './new-documents.js'
import { Forwarding, Sending } from './ports.js'
import { RegistrationRules } from './registration-rules.js'
import { DocumentSettings, EmailNotifications, IntegrationRegisterAuto, Send } from './schema.js'
import { assertMeetsRequirements } from './settings-rules.js'

/** Request of `POST /api`. */
export const RegisterDocumentRequest = Type.Object(
  {
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    signType: signatureInput.signType,
    signature: Type.Optional(signatureInput.signature),
    emailNotifications: Type.Optional(EmailNotifications),
    settings: Type.Optional(DocumentSettings),
    integrationRegisterAuto: Type.Optional(IntegrationRegisterAuto),
    send: Type.Optional(Send),
    replaces: Type.Optional(
      Type.String({
        description: 'documentId of an earlier version, which the signer or a colleague signed first; ours',
      }),
    ),
  },
  { $id: 'RegisterDocumentRequest' },
)
export type RegisterDocumentRequest = Static<typeof RegisterDocumentRequest>

/** Answer of `POST /api`. */
export const RegisteredDocument = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Optional(Type.Integer()),
    data: Type.Optional(Type.String({ description: 'base64 of the data that the CMS carried' })),
    // With the original in the request, the answer has the fields of POST /api/{id}/data.
    ...Type.Partial(Type.Omit(FixedDigests, ['documentId'])).properties,
  },
  { $id: 'RegisteredDocument' },
)
export type RegisteredDocument = Static<typeof RegisteredDocument>

/**
 * Registers a new document together with its first signature, or without one when an information system
 * preregisters it (specification, `POST /api`). An original in the request fixes its hashes in the same transaction.
 */
export class RegisterDocument {
  static readonly operation = operation({
    id: 'registerDocument',
    group: 'documents',
    at: 'POST /',
    who: told('anyone with a signature; without one systems'),
    openToOrigins: true,
    summary: 'Register a document with its first signature',
    description:
      'Anybody may: the signature proves itself. Time stamp and certificate status are taken out of the signature or asked for, and kept as evidence. Registration is complete when POST /api/{id}/data has fixed the hashes. Without a signature an information system preregisters a document.',
    request: RegisterDocumentRequest,
    json: { bytes: Number.POSITIVE_INFINITY, values: 20_000 },
    answer: RegisteredDocument,
    idempotent: true,
    form: true,
    refuses: [
      'accessDenied',
      'algorithmNotTrusted',
      'authenticationRequired',
      'badSignerCertificate',
      'certificateIssuerUnknown',
      'certificatePathNotBuilt',
      'digestAlgorithmNotSupported',
      'documentAlreadyReplaced',
      'documentNotFound',
      'evidenceTimesDiffer',
      'featureNotAvailable',
      'fieldNotSupported',
      'formNotParsed',
      'invalidCertificateStatus',
      'invalidDocumentIdentifier',
      'invalidDocumentSettings',
      'invalidDocumentTitle',
      'invalidIntegrationParameters',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidOcspData',
      'invalidSignature',
      'invalidTspTimeStamp',
      'mailLimitReached',
      'processedSizeDiffers',
      'replacedByStranger',
      'requestFieldNotText',
      'requestFieldTooLarge',
      'shareTaken',
      'signatureAlgorithmNotSupported',
      'signatureAlreadySubmitted',
      'signatureDoesNotCorrespond',
      'signatureMissing',
      'signatureNotParsed',
      'signedDataNotStored',
      'signerCertificateNotValidNow',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = {
    documents: NewDocuments,
    verifier: SignatureVerifier,
    nonces: NonceGuard,
    rules: RegistrationRules,
    fixing: DigestFixing,
    sending: Sending,
    forwarding: Forwarding,
    mailBudget: MailBudget,
    clock: Clock,
    features: Subscriptions,
    versions: DocumentVersions,
  }

  constructor(private readonly use: Injected<typeof RegisterDocument.inject>) {}

  async execute(
    caller: Caller,
    { request, upload, keep = keepNothing }: Input<typeof RegisterDocument.operation>,
  ): Promise<RegisteredDocument> {
    const { signType = 'cms', signature, integrationRegisterAuto: forward, replaces } = request
    if (signature === undefined) assertMayPreregister(caller)
    if (forward) this.use.forwarding.check(forward)
    this.use.rules.check(request)
    const prepared = request.send && (await this.use.sending.prepare(caller, request.send))

    // Authorities are asked outside the transaction, which must not wait for the network.
    const verified = signature === undefined ? undefined : await this.use.verifier.verify({ signType, signature })
    await this.assertMayRegister(caller, request, verified)
    if (replaces !== undefined) await this.use.versions.assertMayReplace(replaces, verified?.facts)

    const document = newDocument(caller, request, { verified, storedAt: this.use.clock.now() })
    const to = document.emailNotifications?.to ?? []
    const alongside = async () => {
      if (prepared) await this.use.sending.send(prepared, { documentId: document.id }, false)
      if (replaces !== undefined) await this.use.versions.add(document, replaces)
      if (forward) await this.use.forwarding.keep(document, forward, 'registration')
      await this.use.mailBudget.take(payerOf(caller, verified?.facts), to)
    }
    const isAlone = prepared || forward || to.length > 0 || replaces !== undefined
    const added: NewDocument = { document, verified, keep, ...(isAlone && { alongside }) }
    if (upload === undefined) return this.use.documents.add(added)
    const beingRegistered = { signer: verified?.facts }
    const fixing = { document: { ...document, beingRegistered }, first: verified, upload }
    return this.use.fixing.fix(caller, fixing, () => this.use.documents.addAlone(added))
  }

  /** Runs its queries concurrently; the first refusal counts. */
  private async assertMayRegister(
    caller: Caller,
    { settings = {}, integrationRegisterAuto: forward }: RegisterDocumentRequest,
    verified: VerifiedSignature | undefined,
  ): Promise<void> {
    const organizations = [...new Set([organizationOf(caller), verified?.facts.businessId])]
    const features = forward
      ? (['documentsRegistration', 'vehicleRegistration'] as const)
      : (['documentsRegistration'] as const)
    const [overNonce, ...others] = await Promise.allSettled([
      verified && this.use.nonces.refuseSignature(verified),
      ...organizations.flatMap((bin) => features.map((feature) => this.use.features.assertEnabled(bin, feature))),
    ])
    if (overNonce.status === 'rejected') throw overNonce.reason
    if (verified) assertMeetsRequirements(verified.facts, settings, 0)
    for (const refusal of others) if (refusal.status === 'rejected') throw refusal.reason
  }
}

/** Only systems may preregister. Anonymous callers are told that the signature is missing. */
function assertMayPreregister(caller: Caller): void {
  if (caller.kind === 'anonymous') throw documentErrors.error('signatureMissing')
  if (caller.kind !== 'system') throw refusal(caller).with({ field: 'signature' })
}
