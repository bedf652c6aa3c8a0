import Type, { type Static } from 'typebox'
import { AlternativeName, StructuredName } from '../signatures/index.js'

export const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })
const Oid = Type.String({ description: 'object identifier' })

/** A person, or an employee of an organization. */
export const holder = {
  userId: Type.String({ description: 'IIN' }),
  businessId: Type.Optional(Type.String({ description: 'BIN, for certificates of legal entities' })),
}

/** Who authenticated (specification, "Authentication result"). */
export const AuthenticationResult = Type.Object(
  {
    ...holder,
    email: Type.Optional(Type.String()),
    subject: Type.String({ description: 'RFC 4514' }),
    subjectStructure: StructuredName,
    subjectAltName: Type.Optional(Type.String()),
    subjectAltNameStructure: Type.Optional(Type.Array(AlternativeName)),
    signAlgorithm: Oid,
    keyStorage: Type.Optional(Oid),
    policyIds: Type.Array(Type.String()),
    extKeyUsages: Type.Array(Type.String()),
    certificateValidFrom: Milliseconds,
    certificateValidUntil: Milliseconds,
  },
  { $id: 'AuthenticationResult' },
)
export type AuthenticationResult = Static<typeof AuthenticationResult>
