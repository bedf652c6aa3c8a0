import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import { normalizeId } from './file-name.js'

/** Answer of `GET /api/normalizeId/{specialId}`. */
export const NormalizedId = Type.Object({ id: Type.String(), type: Type.Literal('document') }, { $id: 'NormalizedId' })
export type NormalizedId = Static<typeof NormalizedId>

/** Extracts the identifier of a document from what people paste (specification, `GET /api/normalizeId/{specialId}`). */
export class NormalizeId {
  static readonly operation = operation({
    id: 'normalizeId',
    group: 'documents',
    at: 'GET /normalizeId/:specialId',
    who: anyone(),
    summary: 'Take the identifier of a document out of a link, a file name or a text with spaces',
    description: 'It is not looked whether there is such a document.',
    params: Type.Object({ specialId: Type.String({ description: 'identifier, link or file name' }) }),
    answer: NormalizedId,
    refuses: ['invalidDocumentIdentifier'],
  })

  execute(_caller: Caller, { specialId }: Input<typeof NormalizeId.operation>): NormalizedId {
    return { id: normalizeId(specialId), type: 'document' }
  }
}
