import { setImmediate as yieldToOthers } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import {
  AddedSignature,
  addedSignature,
  checkEmailNotifications,
  DocumentSigning,
  DocumentStore,
  documentErrors,
  type SigningResult,
} from '../documents/index.js'
import { EventPublisher } from '../events/index.js'
import { anyone, type Caller, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner } from '../notifications/index.js'
import { signatureInput, type VerifiedSignature } from '../signatures/index.js'
import { mapInOrder } from './map-in-order.js'
import { PackageNotifications } from './package-notifications.js'
import { PackageStore } from './package-store.js'
import { PackageEmailNotifications, PackageParams } from './schema.js'
import { nameFailed, type UnderDocument, underDocuments, VerifySignatures, withIndex } from './verify-signatures.js'

/** Signatures stored before yielding to other requests, since SQLite never yields by itself. */
const AT_ONCE = 16
const WITH_WHOLE_PACKAGE = { withWholePackage: true } as const

/** Request of `POST /api/package/{packageId}`. */
export const SignPackageRequest = Type.Object(
  {
    signatures: Type.Array(Type.Object(signatureInput), { description: 'one for each document, in their order' }),
    signatureEmailNotifications: Type.Optional(PackageEmailNotifications),
  },
  { $id: 'SignPackageRequest' },
)
export type SignPackageRequest = Static<typeof SignPackageRequest>

/** Answer of `POST /api/package/{packageId}`. */
export const SignedPackage = Type.Object(
  { packageId: Type.String(), registrationResults: Type.Array(AddedSignature) },
  { $id: 'SignedPackage' },
)
export type SignedPackage = Static<typeof SignedPackage>

/**
 * Adds the n-th signature to the n-th document of a package, all or none (specification, `POST /api/package/{packageId}`).
 */
export class SignPackage {
  static readonly operation = operation({
    id: 'signPackage',
    group: 'packages',
    at: 'POST /package/:packageId',
    who: anyone(': the signatures are the proof'),
    summary: 'Add a signature to every document of a package, or to none',
    description: 'The n-th signature is put under the n-th document; when one is refused none is stored.',
    params: PackageParams,
    request: SignPackageRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: SignedPackage,
    idempotent: true,
    refuses: [
      'invalidCertificateStatus',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidPackageIdentifier',
      'invalidSignature',
      'mailLimitReached',
      'packageNotFound',
      'signatureAlreadySubmitted',
      'signatureDoesNotConform',
      'signatureDoesNotCorrespond',
      'signatureNotParsed',
      'signaturesCountDiffers',
      'signaturesLimitReached',
      'signingDeadlinePassed',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = {
    packages: PackageStore,
    notifications: PackageNotifications,
    mailBudget: MailBudget,
    documents: DocumentStore,
    verify: VerifySignatures,
    store: DocumentSigning,
    events: EventPublisher,
    database: Database,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof SignPackage.inject>) {}

  /** Any caller may send signatures, since they prove the signer. `askedBy` asked for their mails, if not the caller. */
  async execute(
    caller: Caller,
    { packageId, request, keep = keepNothing }: Input<typeof SignPackage.operation>,
    askedBy = caller.kind === 'system' ? ownerOf(caller) : undefined,
  ): Promise<SignedPackage> {
    const { signatures, signatureEmailNotifications: emailNotifications } = request
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.use.limits)
    const { documentsIds } = await this.use.packages.get(packageId)
    const given = underDocuments(documentsIds, signatures)
    await this.assertComplete(documentsIds)

    // Signatures are verified before the transaction, which must not wait for a network.
    const verified = await this.use.verify.verify(given)
    return this.use.database.transaction(async () => {
      const added = await this.store(verified)
      const signIds = added.map(({ signId }) => signId)
      if (emailNotifications)
        await this.use.notifications.add(packageId, signIds, knownFields(PackageEmailNotifications, emailNotifications))
      await this.use.events.publish({ type: 'packageSigned', packageId, signIds, askedBy })
      // Each address gets one mail about all signatures, which counts against every signer's limit.
      for (const payer of [
        ...new Set(verified.map(({ signature }) => askedBy ?? payerOfSigner(signature.facts))),
      ].sort())
        await this.use.mailBudget.take(payer, emailNotifications?.to)
      return keep({ packageId, registrationResults: added })
    })
  }

  private async assertComplete(documentsIds: readonly string[]): Promise<void> {
    for (const [index, { id, digestsFixedAt }] of (await this.use.documents.list(documentsIds)).entries()) {
      if (digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown', { index, documentId: id })
    }
  }

  private async store(verified: readonly UnderDocument<VerifiedSignature>[]): Promise<AddedSignature[]> {
    const ids = verified.map(({ documentId }) => documentId)
    const documents = new Map((await this.use.documents.lockAll(ids)).map((document) => [document.id, document]))
    const storedAt = this.use.clock.now()
    const signings = await mapInOrder(verified, 1, ({ documentId, signature }, index) =>
      nameFailed(index, documentId, async () => {
        if (index % AT_ONCE === 0) await yieldToOthers()
        const document = documents.get(documentId)
        if (document === undefined) throw documentErrors.error('documentNotFound')
        await this.use.store.assertMaySign(document, signature, storedAt)
        return { document, verified: signature }
      }),
    )
    const stored: SigningResult[] = []
    for (let from = 0; from < signings.length; from += AT_ONCE) {
      await yieldToOthers()
      const some = this.use.store.addLocked(signings.slice(from, from + AT_ONCE), storedAt, WITH_WHOLE_PACKAGE)
      stored.push(
        ...(await some.catch((error: unknown) => {
          throw withIndex(error, ids)
        })),
      )
    }
    return verified.flatMap(({ documentId, signature }, at) => {
      const result = stored[at]
      return result === undefined ? [] : [addedSignature(documentId, result, signature)]
    })
  }
}
