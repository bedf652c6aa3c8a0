import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { DocumentStatement } from '@signed-registry/verifier/evidence'
import { FindSignature } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import type { ReadSignature } from '../signatures/index.js'
import { bundleErrors } from './errors.js'
import type { ReadBundle, ReadDocument } from './read-bundle.js'
import { withEvidence } from './with-evidence.js'

/** A signature of a bundle with its evidence, and where it is registered here. */
export interface BundledSignature {
  readonly file: string
  readonly signature: ReadSignature
  readonly signId: number | undefined
}

/** A document of a bundle, and where it is registered here. */
export interface BundledDocument {
  readonly statement: DocumentStatement
  /** `undefined` where none of its signatures is registered. */
  readonly documentId: string | undefined
  readonly original: Uint8Array
  readonly signatures: readonly BundledSignature[]
}

/** Finds out what of a bundle is registered here. */
export class DocumentsInBundle {
  static readonly inject = { finding: FindSignature }

  constructor(private readonly use: Injected<typeof DocumentsInBundle.inject>) {}

  /** Rejects with `evidenceWithoutOriginal`, `evidenceNotProved`, `evidenceOfDifferentDocuments`. */
  async find({ documents }: ReadBundle): Promise<BundledDocument[]> {
    const found: BundledDocument[] = []
    for (const one of documents) found.push(await this.document(one))
    const seen = new Set<string>()
    for (const { file, signature } of found.flatMap((one) => one.signatures)) {
      const fingerprint = Buffer.from(signature.fingerprint).toString('hex')
      if (seen.has(fingerprint)) throw bundleErrors.error('evidenceNotProved', { reason: 'twice', file })
      seen.add(fingerprint)
    }
    return found
  }

  private async document({ open, signatures }: ReadDocument): Promise<BundledDocument> {
    const { statement, original } = open
    const { documentId } = statement
    if (original === undefined) throw bundleErrors.error('evidenceWithoutOriginal', { documentId })
    if (signatures.length === 0) throw bundleErrors.error('evidenceNotProved', { reason: 'nobodySigned', documentId })
    const documents = new Set<string>()
    const found: BundledSignature[] = []
    for (const { open: one, read } of signatures) {
      const file = one.statement.signature
      await yieldToOthers()
      // Such signatures come in files of their own, which POST /api/registerFile reads.
      if (one.statement.coverage !== undefined)
        throw bundleErrors.error('evidenceNotProved', { reason: 'coverage', file })
      if (read === undefined || read.content !== undefined)
        throw bundleErrors.error('evidenceNotProved', { reason: 'notASignature', file })
      const signature = withEvidence(read, one)
      const known = await this.use.finding.exported(signature)
      if (known !== undefined) documents.add(known.documentId)
      found.push({ file, signature, signId: known?.signId })
    }
    if (documents.size > 1) throw bundleErrors.error('evidenceOfDifferentDocuments', { documentId })
    const { content } = original
    return { statement, documentId: [...documents][0], original: content.read(0, content.size), signatures: found }
  }
}
