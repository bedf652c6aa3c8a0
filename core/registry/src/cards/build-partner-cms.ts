import Type, { type Static } from 'typebox'
import { DocumentParams, onDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { joinCms } from '../signatures/index.js'
import { ProveDocument } from './proved-document.js'

/** Answer of `POST /api/{id}/buildPartnerCMS`. */
export const PartnerCms = Type.Object(
  {
    documentId: Type.String(),
    signature: Type.String({ description: 'base64 of the CMS with the original and every signature, DER' }),
    dataArchived: Type.Boolean(),
  },
  { $id: 'PartnerCms' },
)
export type PartnerCms = Static<typeof PartnerCms>

/**
 * Builds one CMS with the original and all registered signatures, each with its time stamp and certificate status, for a
 * partner's signing service (specification, "operation that builds a CMS for a partner signing service").
 */
export class BuildPartnerCms {
  static readonly operation = operation({
    id: 'buildPartnerCms',
    group: 'cards',
    at: 'POST /:id/buildPartnerCMS',
    aliases: [{ at: 'POST /:id/buildEzSigner' }],
    who: onDocument('view', { more: '; without a body whoever may read its stored original' }),
    summary: 'Build one CMS with the original and all signatures',
    description:
      'The original and every signature, each with its time stamp and certificate status, in one CMS. An empty body stands for the original that is stored, for whoever may read that.',
    params: DocumentParams,
    upload: true,
    orStored: true,
    answer: PartnerCms,
    file: { field: 'signature', type: 'application/cms' },
    refuses: [
      'noSignaturesInFormat',
      'signatureDoesNotCorrespond',
      'signaturesInOtherFormat',
      'signaturesNotOverDocument',
    ],
  })
  static readonly inject = { proving: ProveDocument }

  constructor(private readonly use: Injected<typeof BuildPartnerCms.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, document, upload }: Admitted<typeof BuildPartnerCms.operation>,
  ): Promise<PartnerCms> {
    return this.use.proving.prove(caller, document, upload, async ({ original, signatures, state }) => {
      const joined = joinCms(
        original,
        signatures.map(({ cms }) => cms),
      )
      return { documentId, signature: Buffer.from(joined).toString('base64'), dataArchived: state.dataArchived }
    })
  }
}
