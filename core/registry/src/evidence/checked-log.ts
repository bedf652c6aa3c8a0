import { type LogVerdict, UNPROVED_STATES } from '@signed-registry/verifier/evidence'
import Type, { type Static } from 'typebox'

/** An optional time in an answer. */
export const Time = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description}, milliseconds` }))

/** What the transparency log proves of something in a bundle. */
export const CheckedLog = Type.Object({
  documentId: Type.String({ description: 'in the registry that made the bundle' }),
  signId: Type.Optional(Type.Integer({ description: 'of a signature; absent for the hashes of the document' })),
  state: Type.Enum(['logged', 'wrong', ...UNPROVED_STATES], {
    description:
      'logged: the proof leads to the checkpoint, and the entry says what is in the bundle; wrong: it does not; else there is no proof, and the registry says why',
  }),
  reason: Type.Optional(Type.String({ description: 'why it is wrong' })),
  origin: Type.Optional(Type.String({ description: 'name of the log' })),
  index: Type.Optional(Type.Integer({ description: 'number of the entry, from 0' })),
  size: Type.Optional(Type.Integer({ description: 'entries in the tree of the checkpoint' })),
  loggedBefore: Time('time of the stamp over the checkpoint, where this registry trusts its authority'),
  loggedAfter: Time(
    'time of the stamp over the signature, whose hash the entry has, where this registry trusts its authority',
  ),
  isOutside: Type.Optional(
    Type.Boolean({ description: 'the time of registration is more than five minutes outside of these two' }),
  ),
  notLogged: Type.Optional(
    Type.Array(Type.String(), { description: 'OIDs of hashes of the document that the entry does not have' }),
  ),
  trust: Type.Optional(
    Type.Enum(['notEstablished', 'unknownLog'], {
      description:
        'notEstablished: the log that the bundle names signed the checkpoint; a policy of your own (signed-registry verify --policy) establishes trust',
    }),
  ),
})
export type CheckedLog = Static<typeof CheckedLog>

/** A verdict on the log, as it is answered. */
export function checkedLog(found: LogVerdict): CheckedLog {
  const { documentId, signId, state } = found
  const about = { documentId, ...(signId !== undefined && { signId }), state }
  if (found.state === 'wrong')
    return { ...about, reason: found.field === undefined ? found.reason : `${found.reason}: ${found.field}` }
  if (found.state !== 'logged') return about
  const { origin, index, size, isOutside, trust, loggedAfter, loggedBefore, notLogged } = found
  return {
    ...about,
    ...{ origin, index, size, isOutside },
    ...(loggedAfter !== undefined && { loggedAfter }),
    ...(loggedBefore.state === 'proved' && { loggedBefore: loggedBefore.time }),
    ...(notLogged.length > 0 && { notLogged: [...notLogged] }),
    trust: trust === 'unknownLog' ? trust : 'notEstablished',
  }
}
