import Type, { type Static } from 'typebox'
import { Document, Send } from '../documents/index.js'
import { Package } from '../packages/index.js'

/** Request of `POST /api/{id}/send` and `POST /api/package/{packageId}/send`. */
export const SendRequest = Type.Object(Send.properties, { $id: 'SendRequest' })
export type SendRequest = Static<typeof SendRequest>

/** Answer of `POST /api/{id}/send` and `POST /api/package/{packageId}/send`. */
export const SentItem = Type.Object({ outgoingId: Type.String() }, { $id: 'SentItem' })
export type SentItem = Static<typeof SentItem>

const Status = Type.Enum(['sending', 'failed', 'new', 'denied', 'accepted'])
const Decision = Type.Enum(['denied', 'accepted'])

/** A comment or a change of status under an item (specification, "Comment object"). */
export const ItemComment = Type.Object(
  {
    storedAt: Type.Integer({ description: 'milliseconds' }),
    author: Type.String({ description: 'IIN or BIN' }),
    status: Type.Optional(Type.Enum(['denied', 'accepted'], { description: 'when the status was changed' })),
    value: Type.Optional(Type.String({ description: 'text of the comment' })),
  },
  { $id: 'ItemComment' },
)
export type ItemComment = Static<typeof ItemComment>

const item = {
  documentId: Type.Optional(Type.String()),
  document: Type.Optional(Document),
  packageId: Type.Optional(Type.String()),
  package: Type.Optional(Package),
  sentAt: Type.Integer({ description: 'milliseconds' }),
  sender: Type.String({ description: 'IIN or BIN' }),
  receiver: Type.String({ description: 'IIN or BIN' }),
  status: Status,
  comments: Type.Optional(Type.Array(ItemComment)),
}

/** An incoming item; `comments` only where it is answered alone (specification, "Incoming / outgoing item"). */
export const IncomingItem = Type.Object({ incomingId: Type.String(), ...item }, { $id: 'IncomingItem' })
export type IncomingItem = Static<typeof IncomingItem>

/** An outgoing item; `comments` only where it is answered alone (specification, "Incoming / outgoing item"). */
export const OutgoingItem = Type.Object(
  {
    outgoingId: Type.String(),
    ...item,
    failure: Type.Optional(Type.Enum(['notCompletedInTime'], { description: 'why the item has failed' })),
  },
  { $id: 'OutgoingItem' },
)
export type OutgoingItem = Static<typeof OutgoingItem>

/** Answer of `GET /api/incoming`. */
export const IncomingList = Type.Object(
  { incomingTotal: Type.Integer(), items: Type.Array(IncomingItem) },
  { $id: 'IncomingList' },
)
export type IncomingList = Static<typeof IncomingList>

/** Answer of `GET /api/outgoing`. */
export const OutgoingList = Type.Object(
  { outgoingTotal: Type.Integer(), items: Type.Array(OutgoingItem) },
  { $id: 'OutgoingList' },
)
export type OutgoingList = Static<typeof OutgoingList>

/** Query of both lists; times in milliseconds, `until` is exclusive. */
export const ItemListQuery = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'milliseconds' })),
  until: Type.Optional(Type.Integer({ description: 'milliseconds, exclusive' })),
  status: Type.Optional(Status),
  includeDetails: Type.Optional(Type.Boolean()),
})
export type ItemListQuery = Static<typeof ItemListQuery>

/** Query of one item. */
export const ItemQuery = Type.Object({ includeDetails: Type.Optional(Type.Boolean()) })
export type ItemQuery = Static<typeof ItemQuery>

/** Request of `POST /api/incoming/{incomingId}/comment`: a decision, a comment, or both. */
export const CommentIncomingRequest = Type.Object(
  { status: Type.Optional(Decision), comment: Type.Optional(Type.String()) },
  { $id: 'CommentIncomingRequest' },
)
export type CommentIncomingRequest = Static<typeof CommentIncomingRequest>

/** Answer of `POST /api/incoming/{incomingId}/comment`. */
export const CommentedIncoming = Type.Object({ incomingId: Type.String() }, { $id: 'CommentedIncoming' })
export type CommentedIncoming = Static<typeof CommentedIncoming>

/** Request of `POST /api/outgoing/{outgoingId}/comment`. */
export const CommentOutgoingRequest = Type.Object({ comment: Type.String() }, { $id: 'CommentOutgoingRequest' })
export type CommentOutgoingRequest = Static<typeof CommentOutgoingRequest>

/** Answer of `POST /api/outgoing/{outgoingId}/comment`. */
export const CommentedOutgoing = Type.Object({ outgoingId: Type.String() }, { $id: 'CommentedOutgoing' })
export type CommentedOutgoing = Static<typeof CommentedOutgoing>
