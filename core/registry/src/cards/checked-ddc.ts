import { outcomeOf, worstOutcome } from '@signed-registry/verifier'
import Type, { type Static } from 'typebox'
import { CheckedSignature, RegisteredAt } from '../signatures/index.js'
import { CardPages } from './compare-pages.js'

/** One signature of a checked card: judged, or refused if it cannot be read. */
export const CheckedCardSignature = Type.Object({
  name: Type.String({ description: 'of the file in the card' }),
  registered: Type.Optional(RegisteredAt),
  verdict: Type.Optional(CheckedSignature),
  refusal: Type.Optional(
    Type.Object({ code: Type.String(), message: Type.String() }, { description: 'why it is no signature at all' }),
  ),
})

export type CheckedCardSignature = Static<typeof CheckedCardSignature>

/** Answer of `POST /api/checkDDC`. */
export const CheckedDdc = Type.Object(
  {
    outcome: Type.Enum(['proved', 'unknown', 'wrong'], {
      description:
        'of signatures and pages, the worst: wrong beats unknown, and unknown beats proved; pages that differ are wrong, pages that were not compared unknown',
    }),
    documentId: Type.Optional(
      Type.String({
        description:
          'the files in the card are genuine: every signature is registered under this document, and is over the original; of the pages it says nothing',
      }),
    ),
    original: Type.Object({
      name: Type.String(),
      size: Type.Integer({ description: 'bytes' }),
      digests: Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' }),
    }),
    signatures: Type.Array(CheckedCardSignature, { description: 'in the order of the card' }),
    pages: CardPages,
  },
  { $id: 'CheckedDdc' },
)
export type CheckedDdc = Static<typeof CheckedDdc>

const OF_PAGES = { same: 'proved', differ: 'wrong', notCompared: 'unknown' } as const

/** The worst of the verdicts on a card. */
export const cardOutcome = ({ signatures, pages }: Pick<CheckedDdc, 'signatures' | 'pages'>): CheckedDdc['outcome'] =>
  worstOutcome([
    OF_PAGES[pages.compared],
    ...signatures.flatMap(({ verdict }) => verdict?.signatures.map(outcomeOf) ?? ['wrong' as const]),
  ])
