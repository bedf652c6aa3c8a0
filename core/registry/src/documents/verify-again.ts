import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ProofEnds } from '@signed-registry/verifier'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { DataStates, type Digests, type KeptState } from '../originals/index.js'
import { SignatureVerifier, signatureErrors } from '../signatures/index.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { type KeptProof, KeptProofs, type ProofOfDocument, proofOf, weakerOf } from './kept-proofs.js'
import { assertSigned, storedDigests } from './kept-signature.js'
import { KnownDigests } from './known-digests.js'
import { DocumentLimits } from './limits.js'
import { ConfiguredDigests } from './ports.js'
import { isOfLostKey, SeenInLog } from './seen-in-log.js'
import { SignatureStore } from './signature-store.js'
import { TakeOriginal } from './take-original.js'

/** What was found out of all signatures of a document. */
interface JudgedSignatures {
  /** How many were verified. */
  readonly signaturesTotal: number
  /** What proves them; `undefined` without any. */
  readonly proof: ProofOfDocument | undefined
}

/** The result of verifying again: the hashes of the original, and the state of its storage. */
export interface VerifiedAgain extends JudgedSignatures {
  readonly digests: Digests
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
    kept: KeptProofs,
    seen: SeenInLog,
    clock: Clock,
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
    const reading = this.use.documents.digests(documentId)
    const algorithms = reading.then((fixed) => new Set([...fixed.keys(), ...this.use.configured(upload.size), ...more]))
    // Where the original is refused first, nobody awaits this, and its failure must not end the process.
    algorithms.catch(() => undefined)
    let judged: JudgedSignatures = { signaturesTotal: 0, proof: undefined }
    let state: KeptState | undefined
    const digests = await this.use.originals.take(caller, document, upload, {
      algorithms,
      check: async (digests) => {
        const fixed = await reading
        for (const [algorithm, value] of fixed) {
          if (!Buffer.from(value).equals(digests.get(algorithm) ?? Buffer.alloc(0))) {
            throw signatureErrors.error('signatureDoesNotCorrespond', { algorithm })
          }
        }
        const both = [this.verifySignatures(documentId, digests), this.use.states.kept(documentId)] as const
        ;[judged, state] = await Promise.all(both)
      },
      commit: async (digests, isKept) => {
        const fixed = await reading
        if (isKept) state = undefined
        if ([...digests.keys()].some((oid) => !fixed.has(oid))) await this.use.digests.addMissing(documentId, digests)
        return digests
      },
    })
    return { digests, ...judged, state: state ?? (await this.use.states.kept(documentId)) }
  }

  private async verifySignatures(documentId: string, digests: Digests): Promise<JudgedSignatures> {
    const { signatures, kept, clock, limits } = this.use
    let signaturesTotal = 0
    let proof: ProofOfDocument | undefined
    for (let lastSignId = 0; ; ) {
      const page = await signatures.proofs(documentId, lastSignId, limits.signaturesPerCall)
      const proofs = await kept.of(page)
      for (const [index, stored] of page.entries()) {
        if (signaturesTotal > 0) await yieldToOthers()
        assertSigned(storedDigests(stored.signedDigests), digests)
        const own = proofs[index]
        if (own === undefined) throw new TypeError(`Signature ${stored.signId} has no evidence`)
        if (own.isChanged)
          throw signatureErrors.error('signatureDoesNotCorrespond', { reason: 'renewed', signId: stored.signId })
        const found = proofOf(own, await this.ends(stored.signId, own), clock.now())
        proof = proof === undefined ? found : weakerOf(proof, found)
        lastSignId = stored.signId
        signaturesTotal += 1
      }
      if (page.length < limits.signaturesPerCall) return { signaturesTotal, proof }
    }
  }

  /** An authority that has lost its key proves what a stamped checkpoint of the log, by another one, shows to be older. */
  private async ends(signId: number, { evidence }: KeptProof): Promise<ProofEnds> {
    const { verifier, seen } = this.use
    try {
      return await verifier.verifyAgain(evidence)
    } catch (error) {
      const existedAt = isOfLostKey(error) ? await seen.at(signId) : undefined
      if (existedAt === undefined) throw error
      return verifier.verifyAgain({ ...evidence, existedAt })
    }
  }
}
