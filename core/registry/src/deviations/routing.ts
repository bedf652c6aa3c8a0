import type { Deviations } from './deviation.js'

export const routingDeviations = {
  oneUndecidedItem: {
    lines: [415, 461],
    words: '**POST /api/{id}/send** sends a registered document. Request: `to` (string, IIN or BIN with prefix)',
    ours: 'to a receiver who has the same document or package of the same sender and has not decided on it: `Already sent to this receiver`',
    because: {
      attack: 'one sender could fill the list and the mailbox of anybody, with one document',
    },
  },
  sendersAreAuthenticated: {
    lines: [369, 415, 445, 461],
    words: '| send | object | no | `to` (string, IIN or BIN with prefix), optional `comment` (string) |',
    ours: '`send` of a caller who is not authenticated is refused, though the registration itself asks nobody who they are',
    because: {
      attack:
        'a signature proves who signed, not who brings it: whoever has one could send in the name of its signer, and strangers could put words before anybody',
    },
  },
  closedDetailsLeftOut: {
    lines: [175, 177],
    words: '| document | object, optional | present for a document when `includeDetails=true`',
    ours: 'where the caller may not view the document or package, `detailsLeftOut` (ours) is there in its place',
    because: {
      privacy:
        'who may see that something was sent, such as a colleague of the sender, may not see every private document',
    },
  },
  fullPagesLeaveOutDetails: {
    lines: [175, 177],
    words: '| document | object, optional | present for a document when `includeDetails=true`',
    ours: 'of items that were delivered in one millisecond those beyond 1 MiB of a page have `detailsLeftOut: pageFull`; each can be read alone',
    because: {
      attack: 'a page never splits a millisecond: who sends much at once would have answers made of any size',
    },
    switch: '`limits.pageBytes`',
  },
} as const satisfies Deviations
