import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { DataStates, type Digests, type KeptState } from '../originals/index.js'
import { SignatureVerifier, signatureErrors } from '../signatures/index.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { assertSigned, storedDigests } from './kept-signature.js'
import { KnownDigests } from './known-digests.js'
import { DocumentLimits } from './limits.js'
import { ConfiguredDigests } from './ports.js'
import { SignatureStore } from './signature-store.js'
import { TakeOriginal } from './take-original.js'

/** The result of verifying again: the hashes of the original, and the state of its storage. */
export interface VerifiedAgain {
  readonly digests: Digests
  /** How many signatures were verified. */
  readonly signaturesTotal: number
  readonly state: KeptState
}

/**
 * Verifies a document again by its original and stored evidence only, each signature as of its registration.
 * Newly computed hashes are added to the fixed ones.
 */
export class VerifyAgain {
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    verifier: SignatureVerifier,
    configured: ConfiguredDigests,
    digests: KnownDigests,
    originals: TakeOriginal,
    states: DataStates,
    limits: DocumentLimits,
  }

  constructor(private readonly use: Injected<typeof VerifyAgain.inject>) {}

  /**
   * `caller` uploads the original; `more` are OIDs of additional digest algorithms. The calling code checks rights.
   */
  async verify(
    caller: Caller,
    document: DocumentRecord,
    upload: Upload,
    more: readonly string[] = [],
  ): Promise<VerifiedAgain> {
    const { id: documentId } = document
    if (document.digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown')
    const fixed = await this.use.documents.digests(documentId)
    const algorithms = new Set([...fixed.keys(), ...this.use.configured(upload.size), ...more])
    let signaturesTotal = 0
    const digests = await this.use.originals.take(caller, document, upload, {
      algorithms,
      check: async (digests) => {
        for (const [algorithm, value] of fixed) {
          if (!Buffer.from(value).equals(digests.get(algorithm) ?? Buffer.alloc(0))) {
            throw signatureErrors.error('signatureDoesNotCorrespond', { algorithm })
          }
        }
        signaturesTotal = await this.verifySignatures(documentId, digests)
      },
      commit: async (digests) => {
        if ([...digests.keys()].some((oid) => !fixed.has(oid))) await this.use.digests.addMissing(documentId, digests)
        return digests
      },
    })
    return { digests, signaturesTotal, state: await this.use.states.kept(documentId) }
  }

  /** Returns the number of signatures. */
  private async verifySignatures(documentId: string, digests: Digests): Promise<number> {
    let total = 0
    for (let lastSignId = 0; ; ) {
      const page = await this.use.signatures.proofs(documentId, lastSignId, this.use.limits.signaturesPerCall)
      for (const stored of page) {
        if (total > 0) await yieldToOthers()
        assertSigned(storedDigests(stored.signedDigests), digests)
        await this.use.verifier.verifyAgain(await this.use.signatures.evidence(stored))
        lastSignId = stored.signId
        total += 1
      }
      if (page.length < this.use.limits.signaturesPerCall) return total
    }
  }
}
