import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { receive, uploadOf } from '../originals/index.js'
import { digestAlgorithm, type ReadSignature, SignatureVerifier, type VerifiedSignature } from '../signatures/index.js'
import { DocumentSigning } from './document-signing.js'
import { DocumentStore } from './document-store.js'
import { assertSigned } from './kept-signature.js'
import { KnownDigests } from './known-digests.js'

/** Verifies signatures of a registered document that came with its original, such as in a card, and adds them to it. */
export class UnknownSignatures {
  static readonly inject = {
    documents: DocumentStore,
    digests: KnownDigests,
    verifier: SignatureVerifier,
    signing: DocumentSigning,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof UnknownSignatures.inject>) {}

  /**
   * Each is over the document and proved, in order. Authorities are asked for what is missing, so this is for outside of
   * transactions. The original is known to be the document's; hashes that the signatures need beyond the fixed ones are
   * computed from it.
   */
  async prove(
    documentId: string,
    original: Uint8Array,
    signatures: readonly ReadSignature[],
  ): Promise<VerifiedSignature[]> {
    if (signatures.length === 0) return []
    const known = await this.use.documents.digests(documentId)
    const named = signatures.flatMap(({ digests }) => digests.map(({ oid }) => oid))
    const missing = [...new Set(named)].filter((oid) => !known.has(oid) && digestAlgorithm(oid).trusted)
    const computed = missing.length === 0 ? new Map() : await receive(uploadOf(original), { algorithms: missing })
    if (missing.length > 0) await this.use.digests.addMissing(documentId, computed)
    const digests = new Map([...known, ...computed])
    const proved: VerifiedSignature[] = []
    for (const one of signatures) {
      await yieldToOthers()
      const signature = await this.use.verifier.prove(one)
      assertSigned(signature.signedDigests, digests)
      proved.push(signature)
    }
    return proved
  }

  /** Adds proved signatures to their document, all or none, in the caller's transaction if there is one; returns each `signId`. */
  async add(documentId: string, proved: readonly VerifiedSignature[]): Promise<number[]> {
    if (proved.length === 0) return []
    return this.use.database.transaction(async () => {
      const signIds: number[] = []
      for (const signature of proved) {
        const { signId } = await this.use.signing.add(documentId, signature, { storedAt: this.use.clock.now() })
        signIds.push(signId)
      }
      return signIds
    })
  }
}
