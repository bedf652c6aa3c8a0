import Type, { type Static } from 'typebox'
import {
  ExportedSignature,
  ExportQuery,
  exportedForm,
  onDocument,
  SignatureParams,
  SignatureStore,
} from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { CardWork } from './card-work.js'
import { cardErrors } from './errors.js'
import { CardBuilder } from './ports.js'

const LOWEST = 11
const DEFAULT_VERSION = 25

/** Answer of `GET /api/{id}/signature/{signId}/qr`. */
export const SignatureQr = Type.Object(
  {
    ...ExportedSignature.properties,
    qrCodes: Type.Array(Type.String(), {
      description: 'base64 of PNG images that together hold the signature, in order',
    }),
  },
  { $id: 'SignatureQr' },
)
export type SignatureQr = Static<typeof SignatureQr>

/** Returns a whole signature as QR codes (`GET /api/{id}/signature/{signId}/qr`). */
export class GetSignatureQr {
  static readonly operation = operation({
    id: 'getSignatureQr',
    group: 'cards',
    at: 'GET /:id/signature/:signId/qr',
    who: onDocument('view'),
    summary: 'Read a signature as a set of QR codes',
    description: 'The codes together hold the whole signature, and any reader puts it together again.',
    params: SignatureParams,
    query: Type.Object({
      ...ExportQuery.properties,
      qrVersion: Type.Optional(
        Type.Integer({ maximum: 40, description: `${LOWEST} to 40; ${DEFAULT_VERSION} where not given` }),
      ),
      qrLevel: Type.Optional(Type.Enum(['L', 'M', 'Q', 'H'], { description: 'M where not given' })),
    }),
    answer: SignatureQr,
    refuses: ['invalidSignatureIdentifier', 'qrVersionTooLow'],
  })
  static readonly inject = { signatures: SignatureStore, builder: CardBuilder, cards: CardWork }

  constructor(private readonly use: Injected<typeof GetSignatureQr.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, signId, query = {} }: Input<typeof GetSignatureQr.operation>,
  ): Promise<SignatureQr> {
    const { qrVersion: version = DEFAULT_VERSION, qrLevel: level = 'M' } = query
    if (version < LOWEST) throw cardErrors.error('qrVersionTooLow', { qrVersion: version })
    const stored = await this.use.signatures.get(documentId, signId)
    const { exported, bytes } = exportedForm(stored, await this.use.signatures.evidence(stored), query)
    const codes = await this.use.cards.have(caller, 'cardNotBuilt', () =>
      this.use.builder.codes({ documentId, signId, signType: exported.signType, signature: bytes, version, level }),
    )
    return { ...exported, qrCodes: codes.map((code) => Buffer.from(code).toString('base64')) }
  }
}
