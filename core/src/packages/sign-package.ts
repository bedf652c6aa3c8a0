import { Database } from '../database/database.js'
import {
  type AddedSignature,
  addedSignature,
  checkEmailNotifications,
  DocumentStore,
  documentErrors,
  StoreSignature,
} from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import type { SignatureInput, VerifiedSignature } from '../signatures/index.js'
import { eachOf } from './each-of.js'
import { packageErrors } from './errors.js'
import { inPlace, placed } from './in-place.js'
import { PackageNotifications } from './package-notifications.js'
import { PackageStore } from './package-store.js'
import { PackageEmailNotifications, type SignedPackage, type SignPackageRequest } from './schema.js'
import { type UnderDocument, VerifySignatures } from './verify-signatures.js'

/**
 * Puts the n-th signature under the n-th document of a package, all of them or none
 * (specification, `POST /api/package/{packageId}`).
 */
export class SignPackage {
  static readonly inject = [
    PackageStore,
    PackageNotifications,
    DocumentStore,
    VerifySignatures,
    StoreSignature,
    Database,
    Clock,
    Limits,
  ] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly notifications: PackageNotifications,
    private readonly documents: DocumentStore,
    private readonly verify: VerifySignatures,
    private readonly store: StoreSignature,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  /** The signatures themselves prove who signs, so any caller may bring them. */
  async execute(_caller: Caller, packageId: string, request: SignPackageRequest): Promise<SignedPackage> {
    const { signatures, signatureEmailNotifications: emailNotifications } = request
    if (emailNotifications) checkEmailNotifications(emailNotifications, this.limits)
    const { documentsIds } = await this.packages.get(packageId)
    const given = underDocuments(documentsIds, signatures)
    await this.#assertComplete(documentsIds)

    // Every signature is judged before the transaction begins: it must not wait for a network.
    const verified = await this.verify.execute(given)
    const registrationResults = await this.database.transaction(async () => {
      const added = await this.#store(verified)
      const signIds = added.map(({ signId }) => signId)
      if (emailNotifications)
        await this.notifications.add(packageId, signIds, knownFields(PackageEmailNotifications, emailNotifications))
      return added
    })
    return { packageId, registrationResults }
  }

  async #assertComplete(documentsIds: readonly string[]): Promise<void> {
    for (const [index, { id, digestsFixedAt }] of (await this.documents.list(documentsIds)).entries()) {
      if (digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown', { index, documentId: id })
    }
  }

  async #store(verified: readonly UnderDocument<VerifiedSignature>[]): Promise<AddedSignature[]> {
    const ids = verified.map(({ documentId }) => documentId)
    const documents = new Map((await this.documents.lockAll(ids)).map((document) => [document.id, document]))
    const signings = await eachOf(verified, 1, ({ documentId, signature }, index) =>
      inPlace(index, documentId, async () => {
        const document = documents.get(documentId)
        if (document === undefined) throw documentErrors.error('documentNotFound')
        await this.store.assertMaySign(document, signature)
        return { document, verified: signature }
      }),
    )
    const stored = await this.store.underLocked(signings, this.clock.now()).catch((error: unknown) => {
      throw placed(error, ids)
    })
    return verified.flatMap(({ documentId, signature }, at) => {
      const result = stored[at]
      return result === undefined ? [] : [addedSignature(documentId, result, signature)]
    })
  }
}

/** Pairs the n-th signature with the n-th document. */
function underDocuments(
  documentsIds: readonly string[],
  signatures: readonly SignatureInput[],
): UnderDocument<SignatureInput>[] {
  if (signatures.length !== documentsIds.length) {
    const counts = { documents: documentsIds.length, signatures: signatures.length }
    throw packageErrors.error('signaturesCountDiffers', counts)
  }
  return signatures.flatMap((signature, index) => {
    const documentId = documentsIds[index]
    return documentId === undefined ? [] : [{ documentId, signature }]
  })
}
