import type { Caller } from '../identity/index.js'
import { guard } from '../kernel/operation.js'
import { ItemReader } from './item-reader.js'
import type { Direction } from './move-items.js'

const WORDS: Readonly<Record<Direction, string>> = { incoming: 'the receiver', outgoing: 'the sender' }

/** Callers who may view the lists of this side of the item in the path; `execute` gets the `item`. */
export const onItem = (direction: Direction) =>
  guard({
    words: `${WORDS[direction]}: the person, or employees and systems with \`routedDocumentsPackagesView\``,
    refuses: ['itemNotFound', 'authenticationRequired', 'accessDenied'],
    inject: { reader: ItemReader },
    check:
      ({ reader }) =>
      async (caller: Caller, ids: { readonly incomingId: string } | { readonly outgoingId: string }) => ({
        item: await reader.get(direction, caller, 'incomingId' in ids ? ids.incomingId : ids.outgoingId),
      }),
  })
