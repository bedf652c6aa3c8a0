import { CHECK_NAMES } from '@signed-registry/verifier'
import Type, { type Static } from 'typebox'
import { HolderFacts, OcspFacts, StructuredName, TspFacts } from './schema.js'

const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })
const Indication = Type.Enum(['TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED', 'unsupported'], {
  description:
    'EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here',
})
const SubIndication = Type.Optional(Type.String({ description: 'EN 319 102-1, 5.1.3, tables 5 and 6' }))

/** Where a signature is registered. */
export const RegisteredAt = Type.Object({
  documentId: Type.String(),
  signId: Type.Integer(),
  storedAt: Type.Optional(
    Type.Integer({ description: 'milliseconds since the UNIX epoch, for callers who may view the document' }),
  ),
})
export type RegisteredAt = Static<typeof RegisteredAt>

const Coverage = Type.Object(
  {
    of: Type.Enum(['content', 'ranges', 'references'], {
      description: 'all of the document; bytes of one revision of a file, such as a PDF; what references name by URI',
    }),
    ranges: Type.Optional(
      Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
        description: 'from, and to but not including; what lies outside nobody signed',
      }),
    ),
    uris: Type.Optional(Type.Array(Type.String())),
  },
  { description: 'what of its file the signature is over' },
)

/** One signature, and what it proves. */
export const CheckedSigner = Type.Object(
  {
    file: Type.String({ description: 'the name of the file that it came in' }),
    registered: Type.Optional(RegisteredAt),
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
    over: Type.Optional(Type.String({ description: 'the name of the document that it is over' })),
    coverage: Type.Optional(Coverage),
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
    unasked: Type.Array(
      Type.Object({
        subject: Type.String({ description: 'RFC 4514' }),
        subjectStructure: StructuredName,
        issuer: Type.String({ description: 'RFC 4514' }),
        serialNumber: Type.String({ description: 'lower-case hexadecimal' }),
      }),
      { description: 'certificates that the verdict rests on and whose status nothing tells' },
    ),
    unused: Type.Array(
      Type.Object({
        kind: Type.Enum([
          'timeStamp',
          'contentTimeStamp',
          'archiveTimeStamp',
          'evidenceRecord',
          'ocsp',
          'crl',
          'revocationValues',
        ]),
        reason: Type.String({ description: 'what is wrong with it, or notJudged' }),
        time: Type.Optional(Milliseconds),
      }),
      { description: 'evidence that was there and that the verdict does not rest on' },
    ),
    unsupported: Type.Optional(
      Type.Object(
        { feature: Type.String(), advice: Type.String({ description: 'one sentence in English' }) },
        { description: 'what is not judged here, and what to do about it' },
      ),
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

/** What signatures prove. */
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
