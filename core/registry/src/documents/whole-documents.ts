import { NonceGuard } from '../auth/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { keepNothing } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'
import { type Digests, receive, uploadOf } from '../originals/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { DigestFixing } from './digest-fixing.js'
import { DocumentSigning } from './document-signing.js'
import { checkTitles } from './file-name.js'
import { assertSigned } from './kept-signature.js'
import { NewDocuments, newDocument } from './new-documents.js'
import { ConfiguredDigests } from './ports.js'
import type { DocumentSettings } from './schema.js'

/** A document with its original and all of its signatures, which are verified. */
export interface WholeDocument {
  readonly title: string
  readonly description: string
  readonly settings: DocumentSettings
  readonly original: Uint8Array
  /** In their order; one at least. */
  readonly signatures: readonly [VerifiedSignature, ...VerifiedSignature[]]
}

/** A document that may be registered. */
export interface CheckedDocument extends WholeDocument {
  readonly digests: Digests
}

/** Registers documents that come as a whole, such as in an evidence bundle. */
export class WholeDocuments {
  static readonly inject = {
    added: NewDocuments,
    fixing: DigestFixing,
    signing: DocumentSigning,
    nonces: NonceGuard,
    features: Subscriptions,
    configured: ConfiguredDigests,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof WholeDocuments.inject>) {}

  /** Refuses as `POST /api` does, and an original that is not the signed one. */
  async check(caller: Caller, whole: WholeDocument): Promise<CheckedDocument> {
    const { title, description, original, signatures } = whole
    const { nonces, features, configured, limits } = this.use
    checkTitles(title, description, limits)
    for (const one of signatures) await nonces.refuseSignature(one)
    for (const bin of new Set([organizationOf(caller), ...signatures.map(({ facts }) => facts.businessId)]))
      await features.assertEnabled(bin, 'documentsRegistration')
    const signed = signatures.flatMap(({ signedDigests }) => [...signedDigests.keys()])
    const digests = await receive(nonces.watchOriginal(uploadOf(original)), {
      algorithms: new Set([...configured(original.length), ...signed]),
    })
    for (const { signedDigests } of signatures) assertSigned(signedDigests, digests)
    return { ...whole, digests }
  }

  /** Registers it with its hashes and signatures in the caller's transaction; returns their `signId` in order. */
  async add(caller: Caller, checked: CheckedDocument): Promise<{ documentId: string; signIds: number[] }> {
    const { original, digests, signatures } = checked
    const [first, ...others] = signatures
    const storedAt = this.use.clock.now()
    const document = newDocument(caller, checked, { verified: first, storedAt })
    const { documentId, signId } = await this.use.added.addAlone({ document, verified: first, keep: keepNothing })
    await this.use.fixing.fixKnown(caller, documentId, { digests, signedDataSize: original.length, first })
    const signIds = signId === undefined ? [] : [signId]
    for (const one of others) signIds.push((await this.use.signing.add(documentId, one, { storedAt })).signId)
    return { documentId, signIds }
  }
}
