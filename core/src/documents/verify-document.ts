import { setImmediate as breathe } from 'node:timers/promises'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { SignatureVerifier, signatureErrors } from '../signatures/index.js'
import { ConfiguredDigests } from './configured-digests.js'
import { DocumentAccess } from './document-access.js'
import { type Digests, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import type { VerifiedDocument } from './schema.js'
import { SignatureStore } from './signature-store.js'
import { assertSigned, storedDigests } from './signed-digests.js'
import { digestUpload, type Upload } from './upload.js'

/**
 * Judges a document again from its original and from stored evidence alone, each signature as of its registration
 * (specification, `POST /api/{id}/verify`). Hashes that were not computed before are added to the fixed ones.
 */
export class VerifyDocument {
  static readonly inject = [
    DocumentStore,
    SignatureStore,
    SignatureVerifier,
    DocumentAccess,
    ConfiguredDigests,
    Database,
    Limits,
  ] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly verifier: SignatureVerifier,
    private readonly access: DocumentAccess,
    private readonly configured: ConfiguredDigests,
    private readonly database: Database,
    private readonly limits: Limits,
  ) {}

  /** `query.digest` is the OID of one more digest algorithm to compute, for a signature that is to come. */
  async execute(
    caller: Caller,
    documentId: string,
    upload: Upload,
    query: { digest?: string | undefined } = {},
  ): Promise<VerifiedDocument> {
    const document = await this.documents.get(documentId)
    await this.access.assertMay('view', caller, document)
    if (document.digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')
    const fixed = await this.documents.digests(documentId)
    const wanted = new Set([...fixed.keys(), ...this.configured, ...(query.digest ? [query.digest] : [])])
    const digests = await digestUpload(upload, wanted)
    for (const [algorithm, value] of fixed) {
      if (!Buffer.from(value).equals(digests.get(algorithm) ?? Buffer.alloc(0))) {
        throw signatureErrors.error('signatureDoesNotCorrespond', { algorithm })
      }
    }
    await this.#verifySignatures(documentId, digests)
    if (digests.size > fixed.size) await this.#addMissing(documentId, digests)
    return { documentId, dataArchived: false, tempStorage: false }
  }

  async #verifySignatures(documentId: string, digests: Digests): Promise<void> {
    for (let lastSignId = 0; ; ) {
      const page = await this.signatures.page(documentId, lastSignId, this.limits.signaturesPerCall)
      for (const stored of page) {
        assertSigned(storedDigests(stored.signedDigests), digests)
        this.verifier.verifyAgain(await this.signatures.evidence(stored))
        await breathe()
        lastSignId = stored.signId
      }
      if (page.length < this.limits.signaturesPerCall) return
    }
  }

  async #addMissing(documentId: string, digests: Digests): Promise<void> {
    await this.database.transaction(async () => {
      await this.documents.lock(documentId)
      const fixed = await this.documents.digests(documentId)
      await this.documents.addDigests(documentId, new Map([...digests].filter(([algorithm]) => !fixed.has(algorithm))))
    })
  }
}
