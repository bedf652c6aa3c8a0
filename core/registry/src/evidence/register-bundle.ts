import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Database } from '../database/database.js'
import { type CheckedDocument, UnknownSignatures, WholeDocuments } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { uploadOf } from '../originals/index.js'
import { SignatureVerifier, type VerifiedSignature } from '../signatures/index.js'
import type { BundledDocument } from './documents-in-bundle.js'

/** Where a document of a bundle is registered now. */
export interface RegisteredBundle {
  readonly documentId: string
  /** In the order of the bundle. */
  readonly signIds: number[]
}

/** What is to be stored of a document: all of it, or signatures that it lacks. */
type Prepared =
  | { readonly whole: CheckedDocument }
  | {
      readonly documentId: string
      readonly known: readonly (number | undefined)[]
      readonly unknown: VerifiedSignature[]
    }

/** Registers documents and signatures of a bundle that are not registered yet, all or none. */
export class RegisterBundle {
  static readonly inject = {
    verifier: SignatureVerifier,
    whole: WholeDocuments,
    unknown: UnknownSignatures,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof RegisterBundle.inject>) {}

  /** In the order of the bundle. Originals are those that were signed. */
  async register(caller: Caller, documents: readonly BundledDocument[]): Promise<RegisteredBundle[]> {
    const prepared: Prepared[] = []
    try {
      // Authorities may be asked, so this is before the transaction, which must not wait for the network.
      for (const one of documents) prepared.push(await this.prepare(caller, one))
      return await this.use.database.transaction(async () => {
        const registered: RegisteredBundle[] = []
        for (const one of prepared) registered.push(await this.add(caller, one))
        return registered
      })
    } catch (error) {
      await Promise.allSettled(prepared.flatMap((one) => ('whole' in one ? [one.whole.taken.giveUp()] : [])))
      throw error
    }
  }

  private async prepare(caller: Caller, document: BundledDocument): Promise<Prepared> {
    const { statement, documentId, original, signatures } = document
    const read = signatures.flatMap(({ signature, signId }) => (signId === undefined ? [signature] : []))
    if (documentId !== undefined) {
      const unknown = await this.use.unknown.prove(documentId, original, read)
      return { documentId, known: signatures.map(({ signId }) => signId), unknown }
    }
    const proved: VerifiedSignature[] = []
    for (const one of read) {
      await yieldToOthers()
      proved.push(await this.use.verifier.prove(one))
    }
    const [first, ...others] = proved
    if (first === undefined) throw new TypeError('A document without signatures is not registered')
    const { title, description, private: isPrivate } = statement
    const settings = isPrivate ? { private: true } : {}
    return {
      whole: await this.use.whole.check(caller, {
        title,
        description,
        settings,
        original: () => uploadOf(original),
        signatures: [first, ...others],
      }),
    }
  }

  private async add(caller: Caller, prepared: Prepared): Promise<RegisteredBundle> {
    if ('whole' in prepared) {
      const [added] = await this.use.whole.add(caller, [prepared.whole])
      if (added === undefined) throw new TypeError('One document gives one answer')
      return added
    }
    const { documentId, known, unknown } = prepared
    const added = await this.use.unknown.add(documentId, unknown)
    return { documentId, signIds: known.flatMap((signId) => signId ?? added.shift() ?? []) }
  }
}
