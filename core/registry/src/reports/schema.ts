import Type, { type Static } from 'typebox'
import { CheckSignatureRequest } from '../checking/index.js'

const { signatures, documents } = CheckSignatureRequest.properties

/** Request of `POST /api/makeReport`: the files of `POST /api/checkSignature`. */
export const MakeReportRequest = Type.Object(
  {
    signatures,
    documents,
    language: Type.Optional(
      Type.Union([Type.Literal('ru'), Type.Literal('kk'), Type.Literal('en')], { description: 'ru unless given' }),
    ),
  },
  { $id: 'MakeReportRequest' },
)
export type MakeReportRequest = Static<typeof MakeReportRequest>

/** The time stamp over a note, or why there is none. */
export const NoteTimeStamp = Type.Object(
  {
    state: Type.Union(
      [Type.Literal('made'), Type.Literal('notAsked'), Type.Literal('limitReached'), Type.Literal('unavailable')],
      {
        description:
          'notAsked: nobody asks an authority for a caller who is not known; limitReached: the caller had as many as there are in an hour; unavailable: the authority gave none',
      },
    ),
    token: Type.Optional(
      Type.String({ description: 'base64 of a time-stamp token (RFC 3161) over the bytes of the note' }),
    ),
    genTime: Type.Optional(Type.Integer()),
  },
  { $id: 'NoteTimeStamp' },
)
export type NoteTimeStamp = Static<typeof NoteTimeStamp>

/** A report on signatures in each of its formats, and the registry's signed note about it. */
export const SignedReport = Type.Object(
  {
    outcome: Type.Union([Type.Literal('proved'), Type.Literal('unknown'), Type.Literal('wrong')]),
    html: Type.String({ description: 'for people: one file without scripts' }),
    xml: Type.String({ description: 'validation report of ETSI TS 119 102-2' }),
    json: Type.String({ description: 'for programs; a text, since the note has its hash' }),
    note: Type.Optional(
      Type.String({
        description: 'signed note (C2SP) with the SHA-256 of html, xml and json; none without a statement key',
      }),
    ),
    timeStamp: NoteTimeStamp,
  },
  { $id: 'SignedReport' },
)
export type SignedReport = Static<typeof SignedReport>

/** Answer of `GET /api/statementKey`. */
export const PublicStatementKey = Type.Object(
  {
    verifierKey: Type.String({
      description: 'name, key ID and Ed25519 key, as verifiers of signed notes (C2SP) take them',
    }),
  },
  { $id: 'PublicStatementKey' },
)
export type PublicStatementKey = Static<typeof PublicStatementKey>
