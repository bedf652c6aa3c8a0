import Type, { type Static } from 'typebox'

/** What happened to a document or package. */
export const STEP_KINDS = [
  'registered',
  'completed',
  'signed',
  'sent',
  'delivered',
  'opened',
  'reminded',
  'commented',
  'accepted',
  'denied',
  'recalled',
  'failed',
  'replaced',
] as const

const Party = Type.String({ description: 'IIN or BIN' })
const Name = Type.String({ description: 'as in a certificate' })

/** One step of a thread. What the caller may not know of it is left out. */
export const ThreadStep = Type.Object(
  {
    at: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
    kind: Type.Enum([...STEP_KINDS]),
    party: Type.Optional(Party),
    name: Type.Optional(Name),
    by: Type.Optional(Type.String({ description: 'IIN of the person who signed for the party, an organization' })),
    byName: Type.Optional(Name),
    to: Type.Optional(Party),
    toName: Type.Optional(Name),
    signId: Type.Optional(Type.Integer()),
    outgoingId: Type.Optional(Type.String({ description: 'for the sender' })),
    incomingId: Type.Optional(Type.String({ description: 'for the receiver' })),
    documentId: Type.Optional(Type.String({ description: 'the version that replaces it' })),
    documentsIds: Type.Optional(
      Type.Array(Type.String(), { description: 'what was signed, where it was not all documents of the package' }),
    ),
    value: Type.Optional(Type.String({ description: 'text of a comment, for both sides of its item' })),
  },
  { $id: 'ThreadStep' },
)
export type ThreadStep = Static<typeof ThreadStep>

/** Who still has to sign. */
export const ThreadAwaited = Type.Object(
  {
    iin: Type.Optional(Type.String()),
    bin: Type.Optional(Type.String()),
    authorities: Type.Optional(Type.Array(Type.String())),
    ca: Type.Optional(Type.String()),
    name: Type.Optional(Name),
    order: Type.Optional(Type.Integer({ description: 'place from 1, where signers sign in order' })),
    next: Type.Boolean({ description: 'may sign now' }),
  },
  { $id: 'ThreadAwaited' },
)
export type ThreadAwaited = Static<typeof ThreadAwaited>

/** What the calling person or employee has done, and has to do. */
export const ThreadYou = Type.Object(
  {
    signedAt: Type.Optional(
      Type.Integer({ description: 'when the caller last signed it, all documents of a package' }),
    ),
    next: Type.Enum(['sign', 'decide', 'wait', 'nothing']),
    incomingId: Type.Optional(Type.String({ description: 'the newest item that the caller has not decided' })),
  },
  { $id: 'ThreadYou' },
)
export type ThreadYou = Static<typeof ThreadYou>

const thread = {
  steps: Type.Array(ThreadStep, { description: 'the newest last' }),
  shortened: Type.Optional(Type.Literal(true, { description: 'older steps are left out' })),
  awaited: Type.Array(ThreadAwaited, { description: 'requirements to signers that no signature meets yet' }),
  you: Type.Optional(ThreadYou),
}

/** Answer of `GET /api/{id}/thread`. */
export const DocumentThread = Type.Object({ documentId: Type.String(), ...thread }, { $id: 'DocumentThread' })
export type DocumentThread = Static<typeof DocumentThread>

/** Answer of `GET /api/package/{packageId}/thread`. */
export const PackageThread = Type.Object({ packageId: Type.String(), ...thread }, { $id: 'PackageThread' })
export type PackageThread = Static<typeof PackageThread>
