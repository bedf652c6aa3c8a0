import Type from 'typebox'
import { type Caller, OrganizationRights, organizationOf, refusal, told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DigestFixing, FixedDigests } from './digest-fixing.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { storedDigests } from './kept-signature.js'
import { PackageRules } from './ports.js'
import { DocumentParams } from './schema.js'
import { SignatureStore } from './signature-store.js'

/** A document has at most one signature before its hashes are known. */
const FIRST_SIGNATURE = 1

/** Fixes the hashes of a document, once, from its original (specification, `POST /api/{id}/data`). */
export class FixDigests {
  static readonly operation = operation({
    id: 'fixDigests',
    group: 'documents',
    at: 'POST /:id/data',
    who: told('anyone with a signed original; before the first signature who registered the document'),
    openToOrigins: true,
    summary: 'Fix the hashes of a document, once, from its original',
    description:
      'The bytes of the original, once. Their hashes have to be what was signed; the content itself is kept only where settings say so.',
    params: DocumentParams,
    query: Type.Object({
      dataSecret: Type.Optional(
        Type.String({ description: 'what POST /api/package answered, where nobody was authenticated' }),
      ),
    }),
    upload: true,
    answer: FixedDigests,
    refuses: [
      'accessDenied',
      'archivalStarted',
      'authenticationRequired',
      'documentDigestsAlreadyKnown',
      'documentNotFound',
      'invalidDocumentIdentifier',
      'invalidSignature',
      'processedSizeDiffers',
      'shareTaken',
      'signatureDoesNotCorrespond',
    ],
  })
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    packages: PackageRules,
    rights: OrganizationRights,
    fixing: DigestFixing,
  }

  constructor(private readonly use: Injected<typeof FixDigests.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, upload, query = {} }: Input<typeof FixDigests.operation>,
  ): Promise<FixedDigests> {
    const document = await this.use.documents.get(documentId)
    if (document.signaturesTotal === 0 && !(await this.mayVouch(caller, document, query.dataSecret))) {
      throw refusal(caller)
    }
    if (document.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')

    const [signature] = await this.use.signatures.pageWithEvidence(documentId, 0, FIRST_SIGNATURE)
    const first = signature && { facts: signature.facts, signedDigests: storedDigests(signature.signedDigests) }
    return this.use.fixing.fix(caller, { document, first, upload }, async () => ({}))
  }

  /** Until somebody has signed, only the registrator can vouch for the original. */
  private async mayVouch(
    caller: Caller,
    { registrator, packageId }: DocumentRecord,
    dataSecret: string | undefined,
  ): Promise<boolean> {
    if (registrator !== undefined) {
      if (organizationOf(caller) !== registrator.bin) return false
      return caller.kind === 'system' || this.use.rights.allow(caller, registrator.bin, 'documentsAccess')
    }
    if (packageId === undefined) return false
    const { packages } = this.use
    return (await packages.registeredBy(packageId, caller)) || packages.knowsSecret(packageId, dataSecret)
  }
}
