import type { RecordVerdict } from '@signed-registry/verifier/evidence'
import Type, { type Static } from 'typebox'
import { Time } from './checked-log.js'

/** What the evidence record about a signature in a bundle proves. */
export const CheckedRecord = Type.Object({
  documentId: Type.String({ description: 'in the registry that made the bundle' }),
  signId: Type.Integer(),
  state: Type.Enum(['proved', 'notProved', 'wrong'], {
    description:
      'notProved: this registry does not trust an authority of it, or it was not renewed in time; wrong: it is broken, or about something else',
  }),
  reason: Type.Optional(Type.String({ description: 'why it proves nothing' })),
  existedAt: Time('when the signature existed with all of its evidence at the latest'),
  holdsUntil: Time('until when that is proved without a further renewal; absent where nothing on it ends'),
  chains: Type.Optional(
    Type.Array(
      Type.Object({
        digest: Type.String({ description: 'OID of the digest of its trees' }),
        stamps: Type.Array(Type.Integer(), { description: 'when they were made, milliseconds' }),
      }),
    ),
  ),
})
export type CheckedRecord = Static<typeof CheckedRecord>

/** A verdict on an evidence record, as it is answered. */
export function checkedRecord(found: RecordVerdict): CheckedRecord {
  const { documentId, signId, state } = found
  const about = { documentId, signId, state }
  if (found.state !== 'proved') {
    const field = found.state === 'wrong' ? found.field : undefined
    return { ...about, reason: field === undefined ? found.reason : `${found.reason}: ${field}` }
  }
  const { existedAt, holdsUntil, chains } = found
  return {
    ...about,
    existedAt,
    ...(Number.isFinite(holdsUntil) && { holdsUntil }),
    chains: chains.map(({ digestOid: digest, stamps }) => ({ digest, stamps: [...stamps] })),
  }
}
