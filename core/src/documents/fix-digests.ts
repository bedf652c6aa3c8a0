import { NonceGuard } from '../auth/index.js'
import { Database } from '../database/database.js'
import { Outbox } from '../events/index.js'
import { type Caller, organizationOf, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { all } from '../kernel/token.js'
import { type Completion, CompletionListener, tellCompletion } from './completion.js'
import { ConfiguredDigests } from './configured-digests.js'
import { type Digests, DocumentStore, type StoredDocument } from './document-store.js'
import { documentErrors } from './errors.js'
import { PackageRules } from './ports.js'
import type { FixedDigests } from './schema.js'
import { SignatureStore, type StoredSignature } from './signature-store.js'
import { assertSigned, digestsToJson, storedDigests } from './signed-digests.js'
import { type CreatedProfiles, SignerProfiles } from './signer-profiles.js'
import { digestUpload, type Upload } from './upload.js'

const FIRST_SIGNATURE = 1

/** Fixes the hashes of a document, once, from its original (specification, `POST /api/{id}/data`). */
export class FixDigests {
  static readonly inject = [
    DocumentStore,
    SignatureStore,
    SignerProfiles,
    PackageRules,
    all(CompletionListener),
    Outbox,
    NonceGuard,
    ConfiguredDigests,
    Database,
    Clock,
  ] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly profiles: SignerProfiles,
    private readonly packages: PackageRules,
    private readonly listeners: CompletionListener[] | undefined,
    private readonly outbox: Outbox,
    private readonly nonces: NonceGuard,
    private readonly configured: ConfiguredDigests,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, documentId: string, upload: Upload): Promise<FixedDigests> {
    const document = await this.documents.get(documentId)
    if (document.signaturesTotal === 0 && !(await this.#isRegistrator(caller, document))) throw refusal(caller)
    if (document.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')

    // Before its hashes are known a document has no other signature than the first.
    const signatures = await this.signatures.page(documentId, 0, FIRST_SIGNATURE)
    const signed = signatures.map((signature) => storedDigests(signature.signedDigests))
    const digests = await digestUpload(
      this.nonces.watchOriginal(upload),
      new Set([...this.configured, ...signed.flatMap((one) => [...one.keys()])]),
    )
    for (const one of signed) assertSigned(one, digests)

    const completion = await this.database.transaction(() => this.#fix(documentId, digests, upload.size, signatures[0]))
    return {
      documentId,
      signedDataSize: upload.size,
      digests: digestsToJson(digests),
      dataArchived: false,
      tempStorage: false,
      ...completion,
    }
  }

  /** Until somebody has signed, only who registered the document can vouch for its original. */
  async #isRegistrator(caller: Caller, { registrator, packageId }: StoredDocument): Promise<boolean> {
    if (registrator !== undefined) return organizationOf(caller) === registrator.bin
    return packageId !== undefined && this.packages.registeredBy(packageId, caller)
  }

  async #fix(
    documentId: string,
    digests: Digests,
    signedDataSize: number,
    first: StoredSignature | undefined,
  ): Promise<CreatedProfiles & Completion> {
    const document = await this.documents.lock(documentId)
    if (document.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')
    const digestsFixedAt = this.clock.now()
    await this.documents.addDigests(documentId, digests)
    await this.documents.markDigestsFixed(documentId, signedDataSize, digestsFixedAt)
    await this.outbox.add({ type: 'documentCompleted', documentId, packageId: document.packageId })
    const complete = { ...document, signedDataSize, digestsFixedAt }
    return {
      ...(first && (await this.profiles.ensure(first.facts, digestsFixedAt))),
      ...(await tellCompletion(this.listeners, (listener) => listener.documentCompleted(complete))),
    }
  }
}
