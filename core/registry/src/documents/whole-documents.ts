import { NonceGuard } from '../auth/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { keepNothing } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { Subscriptions } from '../organizations/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { DigestFixing } from './digest-fixing.js'
import { DocumentSigning } from './document-signing.js'
import type { DocumentRecord } from './document-store.js'
import { checkTitles } from './file-name.js'
import { assertSigned } from './kept-signature.js'
import { NewDocuments, newDocument } from './new-documents.js'
import { ConfiguredDigests } from './ports.js'
import type { DocumentSettings } from './schema.js'
import { type TakenOriginal, TakeOriginal } from './take-original.js'

/** A document with its original and all of its signatures, which are verified. */
export interface WholeDocument {
  readonly title: string
  readonly description: string
  readonly settings: DocumentSettings
  /** Each time from its beginning. */
  readonly original: () => Upload
  /** In their order; one at least. */
  readonly signatures: readonly [VerifiedSignature, ...VerifiedSignature[]]
  /** Its identifier in the package that it is registered in. */
  readonly packaged?: { readonly id: string; readonly packageId: string }
}

/** A document whose original was received, and that may be registered. */
export interface CheckedDocument {
  readonly document: DocumentRecord
  readonly size: number
  readonly taken: TakenOriginal
  readonly signatures: WholeDocument['signatures']
}

/** Registers documents that come as a whole, such as in an evidence bundle. */
export class WholeDocuments {
  static readonly inject = {
    added: NewDocuments,
    fixing: DigestFixing,
    originals: TakeOriginal,
    signing: DocumentSigning,
    nonces: NonceGuard,
    features: Subscriptions,
    configured: ConfiguredDigests,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof WholeDocuments.inject>) {}

  /** Refuses as `POST /api` does, and an original that is not the signed one. What is answered has to be added, or given up. */
  async check(caller: Caller, whole: WholeDocument): Promise<CheckedDocument> {
    const { title, description, signatures, packaged } = whole
    const { nonces, features, configured, originals, clock, limits } = this.use
    checkTitles(title, description, limits)
    for (const one of signatures) await nonces.refuseSignature(one)
    for (const bin of new Set([organizationOf(caller), ...signatures.map(({ facts }) => facts.businessId)]))
      await features.assertEnabled(bin, 'documentsRegistration')
    const [first] = signatures
    const document = { ...newDocument(caller, whole, { verified: first, storedAt: clock.now() }), ...packaged }
    const signed = signatures.flatMap(({ signedDigests }) => [...signedDigests.keys()])
    const upload = whole.original()
    const incoming = { ...document, beingRegistered: { signer: first.facts } }
    const taken = await originals.receive(caller, incoming, nonces.watchOriginal(upload), {
      algorithms: new Set([...configured(upload.size), ...signed]),
      check: (digests) => {
        for (const { signedDigests } of signatures) assertSigned(signedDigests, digests)
      },
    })
    return { document, size: upload.size, taken, signatures }
  }

  /** Registers them with their hashes and signatures in the caller's transaction; returns their `signId` in order. */
  async add(caller: Caller, checked: readonly CheckedDocument[]): Promise<{ documentId: string; signIds: number[] }[]> {
    const added: { documentId: string; signIds: number[] }[] = []
    for (const { document, signatures } of checked) {
      // Nobody is answered what a CMS carries: it came in the file.
      const verified = { ...signatures[0], content: undefined }
      const { documentId, signId } = await this.use.added.addAlone({ document, verified, keep: keepNothing })
      added.push({ documentId, signIds: signId === undefined ? [] : [signId] })
    }
    // The last document completes its package, so that all of them have to be there.
    for (const [index, { document, size, taken, signatures }] of checked.entries()) {
      const { id, storedAt } = document
      const [first, ...others] = signatures
      await this.use.fixing.fixKnown(caller, id, { digests: taken.digests, signedDataSize: size, first })
      await taken.settle()
      for (const one of others) {
        const { signId } = await this.use.signing.add(id, one, { storedAt })
        added[index]?.signIds.push(signId)
      }
    }
    return added
  }
}
