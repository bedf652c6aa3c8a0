import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { SignatureVerifier, signatureInput } from '../signatures/index.js'
import { documentErrors } from './errors.js'
import { FindSignature } from './find-signature.js'

/** Request of `POST /api/exported`. */
export const FindExportedSignatureRequest = Type.Object(signatureInput, { $id: 'FindExportedSignatureRequest' })
export type FindExportedSignatureRequest = Static<typeof FindExportedSignatureRequest>

/** Answer of `POST /api/exported`. */
export const FoundSignature = Type.Object(
  { documentId: Type.String(), signId: Type.Integer() },
  { $id: 'FoundSignature' },
)
export type FoundSignature = Static<typeof FoundSignature>

/**
 * Finds the document of a signature that was exported before (specification, `POST /api/exported`).
 * If it has a time stamp and a certificate status, they must be the registered ones.
 */
export class FindExportedSignature {
  static readonly operation = operation({
    id: 'findExportedSignature',
    group: 'documents',
    at: 'POST /exported',
    who: anyone(),
    summary: 'Find the document and the signId of an exported signature',
    description:
      'Anybody who has the signature may ask. A time stamp and a certificate status in it have to be the registered ones.',
    request: FindExportedSignatureRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: FoundSignature,
    refuses: ['signatureNotFound', 'signatureNotParsed'],
  })
  static readonly inject = { finding: FindSignature, verifier: SignatureVerifier }

  constructor(private readonly use: Injected<typeof FindExportedSignature.inject>) {}

  async execute(_caller: Caller, { request }: Input<typeof FindExportedSignature.operation>): Promise<FoundSignature> {
    const found = await this.use.finding.exported(await this.use.verifier.read(request))
    if (found === undefined) throw documentErrors.error('signatureNotFound')
    return found
  }
}
