import { NonceGuard } from '../auth/index.js'
import { type DocumentRecord, DocumentStore, documentErrors, KnownDigests } from '../documents/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { ReadOriginals, receive } from '../originals/index.js'
import { signatureErrors } from '../signatures/index.js'
import { type BodyOf, ProcedureBodies } from './bodies.js'
import { procedureErrors } from './errors.js'
import type { GivenDocument } from './given-documents.js'
import { ProcedureLimits } from './limits.js'
import type { Procedure } from './procedure-store.js'

/** An original that came with the request and is only for the procedure. */
export interface GivenOriginal {
  readonly document: DocumentRecord
  readonly bytes: Uint8Array
}

/** Provides originals for the app: those that the registry stores, or those that came with the request. */
export class ProcedureOriginals {
  static readonly inject = {
    originals: ReadOriginals,
    documents: DocumentStore,
    digests: KnownDigests,
    nonces: NonceGuard,
    bodies: ProcedureBodies,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof ProcedureOriginals.inject>) {}

  /**
   * Refuses documents that cannot be given to the app: hashes not fixed, original neither stored nor given, or too large.
   * Answers the given originals that are needed, verified against their documents.
   */
  async check(documents: readonly DocumentRecord[], given: readonly (string | undefined)[]): Promise<GivenOriginal[]> {
    const needed: GivenOriginal[] = []
    const digests = await this.use.documents.digestsOfAll(documents.map(({ id }) => id))
    await this.use.nonces.refuseDigests([...digests.values()].flatMap((known) => [...known.values()]))
    let size = 0
    for (const [index, document] of documents.entries()) {
      const { id: documentId, digestsFixedAt, signedDataSize } = document
      if (digestsFixedAt === undefined) throw documentErrors.error('documentDigestsNotKnown', { documentId })
      size += signedDataSize
      if (size > this.use.limits.procedureBytes)
        throw procedureErrors.error('originalsTooLarge', { limit: this.use.limits.procedureBytes })
      if (await this.isStored(documentId)) continue
      const base64 = given[index]
      if (base64 === undefined) throw procedureErrors.error('dataNotStored', { documentId })
      const bytes = Buffer.from(base64, 'base64')
      await this.assertOriginal(documentId, bytes)
      needed.push({ document, bytes })
    }
    return needed
  }

  /** Stores originals until the procedure has ended. */
  async keep(procedure: BodyOf, originals: readonly GivenOriginal[]): Promise<void> {
    try {
      for (const { document, bytes } of originals) {
        const body = { stream: [bytes], size: bytes.length }
        await this.use.bodies.keep(procedure, document.id, body, bytes.length)
      }
    } catch (error) {
      await this.use.bodies.dropOf([procedure.id])
      throw error
    }
  }

  /** The documents of a procedure for the app, in the order of their identifiers. */
  async open({ id, details }: Procedure, documentsIds: readonly string[]): Promise<GivenDocument[]> {
    const documents = await this.use.documents.getAll(documentsIds)
    const given: GivenDocument[] = []
    for (const [index, { id: documentId, title }] of documents.entries()) {
      const kept = await this.use.bodies.find(id, documentId)
      const original = kept ?? (await this.use.originals.open(documentId))
      given.push({ id: documentId, title, meta: details.meta?.[index] ?? [], bytes: () => original.bytes() })
    }
    return given
  }

  /** Computes the hashes that a signature needs from an original that is stored only for the procedure. */
  async complete({ id }: Procedure, documentId: string, algorithms: Iterable<string>): Promise<void> {
    const known = await this.use.documents.digests(documentId)
    const missing = [...algorithms].filter((oid) => !known.has(oid))
    const kept = missing.length > 0 ? await this.use.bodies.find(id, documentId) : undefined
    if (kept === undefined) return
    const computed = await receive({ size: kept.size, stream: kept.bytes() }, { algorithms: missing })
    await this.use.digests.addMissing(documentId, computed)
  }

  private async isStored(documentId: string): Promise<boolean> {
    try {
      await this.use.originals.open(documentId)
      return true
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'archiveNotFound') return false
      throw error
    }
  }

  private async assertOriginal(documentId: string, bytes: Uint8Array): Promise<void> {
    const known = await this.use.documents.digests(documentId)
    const found = await receive({ size: bytes.length, stream: [bytes] }, { algorithms: known.keys() })
    for (const [algorithm, value] of known) {
      if (!Buffer.from(value).equals(found.get(algorithm) ?? new Uint8Array()))
        throw signatureErrors.error('signatureDoesNotCorrespond', { documentId, algorithm })
    }
  }
}
