import type { Caller } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import type { Evidence, ReadSignature, RegisteredAt, SignatureMarks } from '../signatures/index.js'
import { fingerprintsOf } from './covered-fingerprint.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { KeptProofs } from './kept-proofs.js'
import type { SignatureRecord } from './signature-record.js'
import { SignatureStore } from './signature-store.js'

/** Where a signature is registered. */
export interface RegisteredSignature {
  readonly documentId: string
  readonly signId: number
}

/** Where a signature is registered, and its evidence there, for callers who may view its document. */
export interface KnownSignature {
  readonly registered: RegisteredAt
  readonly evidence?: Evidence
}

/** Finds registered signatures by their content, in any encoding. */
export class FindSignature {
  static readonly inject = {
    signatures: SignatureStore,
    kept: KeptProofs,
    documents: DocumentStore,
    access: DocumentAccess,
  }

  constructor(private readonly use: Injected<typeof FindSignature.inject>) {}

  /**
   * Where an exported signature is registered, of one over several files the first place; `undefined` if it is nowhere. Throws
   * `signatureNotFound` if its time stamp or certificate status is not the registered one.
   */
  async exported(signature: SignatureMarks & Pick<ReadSignature, 'content'>): Promise<RegisteredSignature | undefined> {
    for (const fingerprint of fingerprintsOf(signature)) {
      const stored = await this.stored({ ...signature, fingerprint })
      if (stored !== undefined) return { documentId: stored.documentId, signId: stored.signId }
    }
    return undefined
  }

  /** Like `exported`, with the registry's evidence; `undefined` also if the signature carries different evidence. */
  async known(caller: Caller, signature: SignatureMarks): Promise<KnownSignature | undefined> {
    const stored = await this.sameOrNone(signature)
    if (stored === undefined) return undefined
    const { documentId, signId, storedAt } = stored
    const document = await this.use.documents.get(documentId)
    if (!(await this.use.access.may('view', caller, document))) return { registered: { documentId, signId } }
    const [proof] = await this.use.kept.of([stored])
    return { registered: { documentId, signId, storedAt }, ...(proof && { evidence: proof.evidence }) }
  }

  private async sameOrNone(signature: SignatureMarks): Promise<SignatureRecord | undefined> {
    try {
      return await this.stored(signature)
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'signatureNotFound') return undefined
      throw error
    }
  }

  private async stored({
    fingerprint,
    timeStamp,
    ocsp,
    tokens = [],
  }: SignatureMarks): Promise<SignatureRecord | undefined> {
    const stored = await this.use.signatures.findByFingerprint(fingerprint)
    if (stored === undefined) return undefined
    // What is accepted of the registry's own evidence counts for nothing that stands beside it.
    const all = timeStamp === undefined ? tokens : [timeStamp.token, ...tokens]
    if (all.some((token) => Buffer.compare(stored.timeStamp, token) !== 0)) {
      throw documentErrors.error('signatureNotFound', { reason: 'timeStampDiffers' })
    }
    if (ocsp !== undefined && Buffer.compare(stored.ocsp ?? Buffer.alloc(0), ocsp) !== 0) {
      throw documentErrors.error('signatureNotFound', { reason: 'ocspDiffers' })
    }
    return stored
  }
}
