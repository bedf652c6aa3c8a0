import { CHECK_NAMES } from '@signed-registry/verifier'
import Type, { type Static } from 'typebox'
import { HolderFacts, OcspFacts, TspFacts } from './schema.js'

const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })
const Indication = Type.Enum(['TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED', 'unsupported'], {
  description:
    'EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here',
})
const SubIndication = Type.Optional(Type.String({ description: 'EN 319 102-1, 5.1.3, tables 5 and 6' }))

/** One signature as the verifier alone judges it. */
export const CheckedSigner = Type.Object(
  {
    indication: Indication,
    subIndication: SubIndication,
    conclusion: Type.Enum(['validAt', 'validNow', 'intact', 'refused', 'unsupported'], {
      description:
        'validAt: good at a time that a time stamp proves; validNow: good now, nothing proves more; intact: the value is right for its key; refused: not even that',
    }),
    time: Type.Integer({ description: 'the time that the conclusion is about, milliseconds' }),
    document: Type.Enum(['carried', 'matches', 'differs', 'notCompared', 'unknown'], {
      description: 'carried: the signed bytes are part of what was sent; notCompared: no hash of the document was sent',
    }),
    covers: Type.Optional(
      Type.Enum(['document', 'element', 'detached', 'signature'], {
        description: 'what an XML signature is over; signature: a counter-signature, over another signature alone',
      }),
    ),
    signType: Type.Optional(Type.Enum(['cms', 'xml'])),
    digests: Type.Record(Type.String(), Type.String(), {
      description: 'what the document must hash to: OID of the algorithm to base64',
    }),
    signer: Type.Optional(HolderFacts),
    tsp: Type.Optional(TspFacts),
    ocsp: Type.Optional(OcspFacts),
    missing: Type.Array(
      Type.Enum(['document', 'signingCertificate', 'timeStamp', 'status', 'chainStatus', 'timeStampStatus']),
      {
        description: 'what would have told more',
      },
    ),
    checks: Type.Array(
      Type.Object({
        check: Type.Enum([...CHECK_NAMES]),
        at: Milliseconds,
        outcome: Type.Enum(['passed', 'failed']),
        reason: Type.Optional(Type.String()),
      }),
      { description: 'what was looked at, in this order; what is not here was not' },
    ),
    refusal: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String(), reason: Type.Optional(Type.String()) },
        { description: 'the error that a registration would be refused with; GET /api/strings has its texts' },
      ),
    ),
  },
  { $id: 'CheckedSigner' },
)
export type CheckedSigner = Static<typeof CheckedSigner>

/** What the verifier alone says of signed bytes. */
export const CheckedSignature = Type.Object(
  {
    valid: Type.Boolean({ description: 'true when every signature is TOTAL-PASSED' }),
    indication: Indication,
    subIndication: SubIndication,
    judgedAt: Milliseconds,
    signatures: Type.Array(CheckedSigner, { description: 'one for each signer' }),
  },
  { $id: 'CheckedSignature' },
)
export type CheckedSignature = Static<typeof CheckedSignature>
