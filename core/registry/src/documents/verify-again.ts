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

/** What verifying again gives: the hashes of the original, and what is kept of it now. */
export interface VerifiedAgain {
  readonly digests: Digests
  /** How many signatures were proved. */
  readonly signaturesTotal: number
  readonly state: KeptState
}

/**
 * Judges a document again from its original and from stored evidence alone, each signature as of its registration.
 * Hashes that were not computed before are added to the fixed ones.
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
   * `caller` brings the original; `more` are OIDs of more digest algorithms to compute. Rights are for who calls this to
   * check.
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

  /** Answers how many there are. */
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
