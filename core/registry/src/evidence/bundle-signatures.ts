import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { exportedForm, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import type { Evidence, Signature } from '../signatures/index.js'
import { bundleErrors } from './errors.js'
import { EvidenceLimits } from './limits.js'

/** A registered signature as a bundle has it. */
export interface StoredSignature {
  readonly signId: number
  readonly storedAt: number
  readonly facts: Omit<Signature, 'signId' | 'storedAt'>
  readonly evidence: Evidence
  /** CMS: CAdES-B-LT, detached; XML: as received. */
  readonly signed: Uint8Array
}

const PAGE = 50
/** CAdES-B-LT. */
const LONG_TERM = 2

/** Reads the signatures of documents for a bundle, with all of their evidence. */
export class BundleSignatures {
  static readonly inject = { signatures: SignatureStore, limits: EvidenceLimits }

  constructor(private readonly use: Injected<typeof BundleSignatures.inject>) {}

  /** In the order of `signId`, for each document. Rejects with `evidenceNotSigned`, `evidenceNotBuilt`. */
  async of(documentIds: readonly string[]): Promise<ReadonlyMap<string, readonly StoredSignature[]>> {
    const all = new Map<string, readonly StoredSignature[]>()
    let left = this.use.limits.evidenceSignatures
    for (const documentId of documentIds) {
      const own = await this.ofDocument(documentId, left)
      left -= own.length
      all.set(documentId, own)
    }
    if (left === this.use.limits.evidenceSignatures) throw bundleErrors.error('evidenceNotSigned')
    return all
  }

  private async ofDocument(documentId: string, most: number): Promise<StoredSignature[]> {
    const found: StoredSignature[] = []
    for (let lastSignId = 0; ; ) {
      const page = await this.use.signatures.pageWithEvidence(documentId, lastSignId, PAGE)
      if (found.length + page.length > most) {
        const { evidenceSignatures: limit } = this.use.limits
        throw bundleErrors.error('evidenceNotBuilt', { reason: 'tooManySignatures', limit })
      }
      for (const stored of page) {
        const { signId, storedAt, facts } = stored
        const evidence = await this.use.signatures.evidence(stored)
        const { bytes: signed } = exportedForm(stored, evidence, { signFormat: LONG_TERM })
        found.push({ signId, storedAt, facts, evidence, signed })
        lastSignId = signId
      }
      if (page.length < PAGE) return found
      await yieldToOthers()
    }
  }
}
