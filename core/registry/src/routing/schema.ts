import Type, { type Static } from 'typebox'
import { searchCursorParameter } from '../database/search-cursor.js'
import { DocumentResource, Send } from '../documents/index.js'
import { ITEM_STATUSES } from '../events/index.js'
import { Package } from '../packages/index.js'
import { FAILURES } from './item-store.js'

/** Request of `POST /api/{id}/send` and `POST /api/package/{packageId}/send`. */
export const SendRequest = Type.Object(Send.properties, { $id: 'SendRequest' })
export type SendRequest = Static<typeof SendRequest>

/** Answer of `POST /api/{id}/send` and `POST /api/package/{packageId}/send`. */
export const SentItem = Type.Object({ outgoingId: Type.String() }, { $id: 'SentItem' })
export type SentItem = Static<typeof SentItem>

const Status = Type.Enum([...ITEM_STATUSES])

/** Decisions of a receiver. */
export const DECISIONS = ['denied', 'accepted'] as const

/** A comment on an item or a change of its status (specification, "Comment object"). */
export const ItemComment = Type.Object(
  {
    storedAt: Type.Integer({ description: 'milliseconds' }),
    author: Type.String({ description: 'IIN or BIN' }),
    authorName: Type.Optional(Type.String({ description: 'as in a certificate of the author; ours' })),
    status: Type.Optional(Type.Enum(DECISIONS, { description: 'when the status was changed' })),
    value: Type.Optional(Type.String({ description: 'text of the comment' })),
  },
  { $id: 'ItemComment' },
)
export type ItemComment = Static<typeof ItemComment>

const item = {
  documentId: Type.Optional(Type.String()),
  document: Type.Optional(DocumentResource),
  packageId: Type.Optional(Type.String()),
  package: Type.Optional(Package),
  detailsLeftOut: Type.Optional(
    Type.Enum(['closed', 'forgotten', 'pageFull'], {
      description:
        'with includeDetails=true, why there is no document or package: the caller may not view it, it is forgotten, or the page is full; ours',
    }),
  ),
  sentAt: Type.Integer({ description: 'milliseconds' }),
  sender: Type.String({ description: 'IIN or BIN' }),
  receiver: Type.String({ description: 'IIN or BIN' }),
  senderName: Type.Optional(Type.String({ description: 'as in a certificate of the sender; ours' })),
  receiverName: Type.Optional(
    Type.String({
      description: "as in a certificate; a person's only once they have opened or decided the item; ours",
    }),
  ),
  status: Status,
  toSign: Type.Optional(Type.Literal(true, { description: 'a signature is wanted, not only acceptance; ours' })),
  deadline: Type.Optional(
    Type.Integer({ description: 'milliseconds, after which it can no longer be accepted; ours' }),
  ),
  openedAt: Type.Optional(Type.Integer({ description: 'milliseconds, when the receiver first read this item; ours' })),
  recalled: Type.Optional(
    Type.Literal(true, { description: 'the sender took it back before it was decided; its status is `failed`; ours' }),
  ),
  signedAt: Type.Optional(
    Type.Integer({
      description:
        'milliseconds, when the receiver had signed the document, or every document of the package; only in single items; ours',
    }),
  ),
  comments: Type.Optional(Type.Array(ItemComment)),
}

/** An incoming item; `comments` only in the answer of a single item (specification, "Incoming / outgoing item"). */
export const IncomingItem = Type.Object({ incomingId: Type.String(), ...item }, { $id: 'IncomingItem' })
export type IncomingItem = Static<typeof IncomingItem>

/** An outgoing item; `comments` only in the answer of a single item (specification, "Incoming / outgoing item"). */
export const OutgoingItem = Type.Object(
  {
    outgoingId: Type.String(),
    ...item,
    failure: Type.Optional(Type.Enum([...FAILURES], { description: 'why the item has failed; ours' })),
    reminders: Type.Integer({ description: 'how often the receiver was reminded; ours' }),
    remindersLeft: Type.Integer({ description: 'how often the receiver can still be reminded; ours' }),
  },
  { $id: 'OutgoingItem' },
)
export type OutgoingItem = Static<typeof OutgoingItem>

/** Query of both lists. */
export const ItemListQuery = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'milliseconds; the beginning of time by default' })),
  until: Type.Optional(Type.Integer({ description: 'milliseconds, exclusive; now by default' })),
  status: Type.Optional(Status),
  searchQuery: Type.Optional(
    Type.String({
      description:
        'words of the title and of the other party (name, IIN, BIN), of which 2,000 items are looked at for a page; ours',
    }),
  ),
  ...searchCursorParameter,
  includeDetails: Type.Optional(
    Type.Boolean({ description: 'with the document or package of each item; such pages have fewer items' }),
  ),
})
export type ItemListQuery = Static<typeof ItemListQuery>

export const IncomingParams = Type.Object({
  incomingId: Type.String({ description: 'identifier of the incoming item' }),
})
export const OutgoingParams = Type.Object({
  outgoingId: Type.String({ description: 'identifier of the outgoing item' }),
})
