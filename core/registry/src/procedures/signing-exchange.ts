import { AddSignature } from '../documents/index.js'
import { anonymous } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { PackageStore, type SignedPackage, SignPackage } from '../packages/index.js'
import { readIdentity, SignatureVerifier } from '../signatures/index.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments, Exchange } from './exchange.js'
import { givenDocuments } from './given-documents.js'
import { saysNothing } from './later.js'
import { ProcedureLimits } from './limits.js'
import { MoveProcedure } from './move-procedure.js'
import { ProcedureOriginals } from './procedure-originals.js'
import { OPEN, type Procedure } from './procedure-store.js'
import { readReturned } from './returned-documents.js'

/** Base64 adds a third, and names and descriptions are returned too. */
const RETURNED = 1.5

/** Registers signatures; calls `done` with their identifiers at the end of the transaction that stores them. */
export type Register = (
  signatures: readonly string[],
  done: (signIds: readonly number[]) => Promise<void>,
) => Promise<void>

/** What the simplified procedures of a document and of a package have in common. */
export class SigningExchange {
  static readonly inject = {
    originals: ProcedureOriginals,
    moves: MoveProcedure,
    verifier: SignatureVerifier,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof SigningExchange.inject>) {}

  async documents(procedure: Procedure, documentsIds: readonly string[]): Promise<AppDocuments> {
    return givenDocuments(await this.use.originals.open(procedure, documentsIds))
  }

  /**
   * Registers what the app signed, or ends the procedure: `canceled` by its user, `fail` by an error. A temporary error, such
   * as a silent authority, leaves the procedure open. Rejects with the error for the app.
   */
  async take(
    procedure: Procedure,
    body: BodyStream,
    documentsIds: readonly string[],
    register: Register,
  ): Promise<void> {
    const { status } = procedure
    if (status !== 'data') throw procedureErrors.error('qrInvalidState', { status })
    try {
      const returned = await readReturned(body, documentsIds, this.use.limits.procedureBytes * RETURNED)
      if (returned.canceled) return await this.use.moves.mustMove(procedure, OPEN, { status: 'canceled' })
      await this.prepare(procedure, documentsIds, returned.signatures)
      await register(returned.signatures, (signIds) =>
        this.use.moves.mustMove(procedure, ['data'], { status: 'done', signIds }),
      )
    } catch (error) {
      await this.failed(procedure, error)
      throw error
    }
  }

  /** Checks the signers and computes missing hashes before any authority is asked. */
  private async prepare(procedure: Procedure, documentsIds: readonly string[], signatures: readonly string[]) {
    const { details, signer = details.signer } = procedure
    for (const [index, documentId] of documentsIds.entries()) {
      const read = await this.use.verifier.read({ signType: 'cms', signature: signatures[index] ?? '' })
      if (signer !== undefined && readIdentity(read.signer).userId !== signer)
        throw procedureErrors.error('otherSigner', { index })
      await this.use.originals.complete(
        procedure,
        documentId,
        read.digests.map(({ oid }) => oid),
      )
    }
  }

  private async failed(procedure: Procedure, error: unknown): Promise<void> {
    if (!(error instanceof RegistryError) || saysNothing(error) || error.code === 'qrInvalidState') return
    const { message, code } = error
    await this.use.moves.fail(procedure, code === 'appExchangeFailed' ? { gov: message } : { service: message })
  }
}

/** Gives one document to the app, and registers the signature that it returns. */
export class DocumentExchange implements Exchange {
  static readonly inject = { signing: SigningExchange, add: AddSignature }

  constructor(private readonly use: Injected<typeof DocumentExchange.inject>) {}

  documents(procedure: Procedure): Promise<AppDocuments> {
    return this.use.signing.documents(procedure, [procedure.documentId ?? ''])
  }

  take(procedure: Procedure, body: BodyStream): Promise<void> {
    const { documentId: id = '' } = procedure
    // The request that began the procedure was checked by its schema.
    const asked = procedure.details.signatureEmailNotifications
    return this.use.signing.take(procedure, body, [id], async ([signature = ''], done) => {
      const request = { signature, ...(asked && { signatureEmailNotifications: asked }) }
      const keep = async <A extends object>(answer: A) => {
        await done('signId' in answer ? [Number(answer.signId)] : [])
        return answer
      }
      await this.use.add.execute(anonymous, { id, request, keep }, procedure.begunBy)
    })
  }
}

/** Gives the documents of a package to the app, and registers the signatures that it returns, all or none. */
export class PackageExchange implements Exchange {
  static readonly inject = { signing: SigningExchange, packages: PackageStore, sign: SignPackage }

  constructor(private readonly use: Injected<typeof PackageExchange.inject>) {}

  async documents(procedure: Procedure): Promise<AppDocuments> {
    const { documentsIds } = await this.use.packages.get(procedure.packageId ?? '')
    return this.use.signing.documents(procedure, documentsIds)
  }

  async take(procedure: Procedure, body: BodyStream): Promise<void> {
    const { packageId = '' } = procedure
    const { documentsIds } = await this.use.packages.get(packageId)
    // The request that began the procedure was checked by its schema.
    const asked = procedure.details.signatureEmailNotifications
    await this.use.signing.take(procedure, body, documentsIds, async (signatures, done) => {
      const request = {
        signatures: signatures.map((signature) => ({ signature })),
        ...(asked && { signatureEmailNotifications: asked }),
      }
      const keep = async <A extends object>(answer: A) => {
        const { registrationResults = [] }: Partial<SignedPackage> = answer
        await done(registrationResults.map(({ signId }) => signId))
        return answer
      }
      await this.use.sign.execute(anonymous, { packageId, request, keep }, procedure.begunBy)
    })
  }
}
