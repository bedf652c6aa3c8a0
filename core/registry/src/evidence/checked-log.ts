import type { CheckpointTime, LogVerdict } from '@signed-registry/verifier/evidence'
import Type, { type Static } from 'typebox'

const Time = (description: string) => Type.Optional(Type.Integer({ description: `${description}, milliseconds` }))

/** What the transparency log proves of something in a bundle. */
export const CheckedLog = Type.Object({
  documentId: Type.String({ description: 'in the registry that made the bundle' }),
  signId: Type.Optional(Type.Integer({ description: 'of a signature; absent for the hashes of the document' })),
  state: Type.Enum(['logged', 'wrong', 'pending', 'changed', 'broken'], {
    description:
      'logged: the proof leads to the checkpoint, and the entry says what is in the bundle; wrong: it does not; else there is no proof, and the registry says why',
  }),
  reason: Type.Optional(Type.String({ description: 'why it is wrong' })),
  origin: Type.Optional(Type.String({ description: 'name of the log' })),
  index: Type.Optional(Type.Integer({ description: 'number of the entry, from 0' })),
  size: Type.Optional(Type.Integer({ description: 'entries in the tree of the checkpoint' })),
  loggedBefore: Time('time of the stamp over the checkpoint, where this registry trusts its authority'),
  notBefore: Time('time of the stamp over an earlier checkpoint that does not have the entry'),
  isOutside: Type.Optional(
    Type.Boolean({ description: 'the time of registration is more than five minutes outside of these two' }),
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
  const { origin, index, size, isOutside, trust } = found
  return {
    ...about,
    ...{ origin, index, size, isOutside },
    ...timed('loggedBefore', found.loggedBefore),
    ...timed('notBefore', found.notBefore),
    trust: trust === 'unknownLog' ? trust : 'notEstablished',
  }
}

const timed = (name: 'loggedBefore' | 'notBefore', found: CheckpointTime): Pick<CheckedLog, typeof name> =>
  found.state === 'proved' ? { [name]: found.time } : {}
