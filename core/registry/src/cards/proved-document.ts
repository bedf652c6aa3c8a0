import { DocumentAccess, type DocumentRecord, DocumentStore, VerifyAgain } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { collect, type Digests, type KeptState, ReadOriginals } from '../originals/index.js'
import { CardSignatures } from './card-signatures.js'
import { CardWork } from './card-work.js'
import type { CardSignature } from './ports.js'

/** A document whose original and signatures have all been verified again. */
export interface ProvedDocument {
  readonly document: DocumentRecord
  readonly original: Buffer
  readonly digests: Digests
  /** In the order of their time stamps. */
  readonly signatures: readonly CardSignature[]
  readonly state: KeptState
}

/** Hands out a document with its proof after verifying both again; archives as `POST /api/{id}/verify` does. */
export class ProveDocument {
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    signatures: CardSignatures,
    verification: VerifyAgain,
    originals: ReadOriginals,
    cards: CardWork,
  }

  constructor(private readonly use: Injected<typeof ProveDocument.inject>) {}

  /**
   * The original is the upload or, if that is empty, the stored one for callers who may read it. Every signature must be
   * CMS. Memory for all of it is reserved until `give` is done.
   */
  async prove<T>(
    caller: Caller,
    document: DocumentRecord,
    upload: Upload,
    give: (proved: ProvedDocument) => Promise<T>,
  ): Promise<T> {
    const given = upload.size > 0 ? upload : await this.stored(caller, document)
    return this.use.cards.withFile(caller, given.size, async () => {
      const signatures = await this.use.signatures.of(document.id)
      const { upload: passing, bytes } = collect(given)
      const { digests, state } = await this.use.verification.verify(caller, document, passing)
      return give({ document, original: bytes(), digests, signatures, state })
    })
  }

  private async stored(caller: Caller, document: DocumentRecord): Promise<Upload> {
    await this.use.access.assertMay('readData', caller, document)
    const original = await this.use.originals.open(document.id)
    return { size: original.size, stream: original.bytes() }
  }
}
