import { setImmediate as yieldToOthers } from 'node:timers/promises'
import {
  exportedForm,
  type RenewedProof,
  RenewedProofs,
  type SignatureRecord,
  SignatureStore,
} from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { type Evidence, LONGEST_CMS, type Signature } from '../signatures/index.js'
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
  /** As it was received; CMS without content. */
  readonly received: Uint8Array
  /** Its proof as it was renewed. */
  readonly record: RenewedProof | undefined
}

const PAGE = 50
/** Bytes of signatures and evidence in one bundle: readers hold twice as many. */
const MAX_BYTES = 64 * 1024 * 1024
/** CAdES-B-LT. */
const LONG_TERM = 2

/** Reads the signatures of documents for a bundle, with all of their evidence. */
export class BundleSignatures {
  static readonly inject = { signatures: SignatureStore, renewed: RenewedProofs, limits: EvidenceLimits }

  constructor(private readonly use: Injected<typeof BundleSignatures.inject>) {}

  /** In the order of `signId`, for each document. Rejects with `evidenceNotSigned`, `evidenceNotBuilt`. */
  async of(documentIds: readonly string[]): Promise<ReadonlyMap<string, readonly StoredSignature[]>> {
    const all = new Map<string, readonly StoredSignature[]>()
    const left = { signatures: this.use.limits.evidenceSignatures, bytes: MAX_BYTES }
    for (const documentId of documentIds) {
      const own = await this.ofDocument(documentId, left)
      left.signatures -= own.length
      all.set(documentId, own)
    }
    if (left.signatures === this.use.limits.evidenceSignatures) throw bundleErrors.error('evidenceNotSigned')
    return all
  }

  private async ofDocument(documentId: string, left: Left): Promise<StoredSignature[]> {
    const found: StoredSignature[] = []
    for (let lastSignId = 0; ; ) {
      const page = await this.use.signatures.pageWithEvidence(documentId, lastSignId, PAGE)
      if (found.length + page.length > left.signatures) {
        const { evidenceSignatures: limit } = this.use.limits
        throw bundleErrors.error('evidenceNotBuilt', { reason: 'tooManySignatures', limit })
      }
      const records = await this.use.renewed.of(page.map(({ signId }) => signId))
      for (const stored of page) {
        const { signId, storedAt, facts } = stored
        const evidence = await this.use.signatures.evidence(stored)
        const signed = longTermForm(stored, evidence)
        const record = records.get(signId)
        const one = { signId, storedAt, facts, evidence, signed, received: stored.signature, record }
        left.bytes -= bytesOf(one)
        if (left.bytes < 0) throw bundleErrors.error('evidenceNotBuilt', { reason: 'tooLarge', limit: MAX_BYTES })
        found.push(one)
        lastSignId = signId
      }
      if (page.length < PAGE) return found
      await yieldToOthers()
    }
  }
}

/** How much more goes into a bundle. */
interface Left {
  readonly signatures: number
  bytes: number
}

/** Large CRLs stand beside a signature alone: with them it would be longer than what is read. */
function longTermForm(stored: SignatureRecord, evidence: Evidence): Uint8Array {
  const form = (used: Evidence) => exportedForm(stored, used, { signFormat: LONG_TERM }).bytes
  const whole = form(evidence)
  return whole.length > LONGEST_CMS ? form({ ...evidence, crls: [] }) : whole
}

function bytesOf({ signed, received, evidence: { timeStamp, ocsp, crls }, record }: StoredSignature): number {
  const renewed = record === undefined ? [] : [record.object, record.record]
  const all = [signed, received, timeStamp, ...(ocsp === undefined ? [] : [ocsp]), ...crls, ...renewed]
  return all.reduce((sum, { length }) => sum + length, 0)
}
