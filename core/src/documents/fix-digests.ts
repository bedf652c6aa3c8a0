import { NonceGuard } from '../auth/index.js'
import { Database } from '../database/database.js'
import { type Caller, organizationOf, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { ConfiguredDigests } from './configured-digests.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import type { FixedDigests } from './schema.js'
import { SignatureStore } from './signature-store.js'
import { assertSigned, digestsToJson, storedDigests } from './signed-digests.js'
import { SignerProfiles } from './signer-profiles.js'
import { digestUpload, type Upload } from './upload.js'

const FIRST_SIGNATURE = 1

/** Fixes the hashes of a document, once, from its original (specification, `POST /api/{id}/data`). */
export class FixDigests {
  static readonly inject = [
    DocumentStore,
    SignatureStore,
    SignerProfiles,
    NonceGuard,
    ConfiguredDigests,
    Database,
    Clock,
  ] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly profiles: SignerProfiles,
    private readonly nonces: NonceGuard,
    private readonly configured: ConfiguredDigests,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller, documentId: string, upload: Upload): Promise<FixedDigests> {
    const document = await this.documents.get(documentId)
    // Until somebody has signed, only the organization that preregistered the document can vouch for its original.
    if (document.signaturesTotal === 0 && organizationOf(caller) !== document.registrator?.bin) throw refusal(caller)
    if (document.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')

    // Before its hashes are known a document has no other signature than the first.
    const signatures = await this.signatures.page(documentId, 0, FIRST_SIGNATURE)
    const signed = signatures.map((signature) => storedDigests(signature.signedDigests))
    const digests = await digestUpload(
      this.nonces.watchOriginal(upload),
      new Set([...this.configured, ...signed.flatMap((one) => [...one.keys()])]),
    )
    for (const one of signed) assertSigned(one, digests)

    const created = await this.database.transaction(async () => {
      const locked = await this.documents.lock(documentId)
      if (locked.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')
      await this.documents.addDigests(documentId, digests)
      await this.documents.markDigestsFixed(documentId, upload.size, this.clock.now())
      const [first] = signatures
      return first && this.profiles.ensure(first.facts, this.clock.now())
    })
    return {
      documentId,
      signedDataSize: upload.size,
      digests: digestsToJson(digests),
      dataArchived: false,
      tempStorage: false,
      ...created,
    }
  }
}
