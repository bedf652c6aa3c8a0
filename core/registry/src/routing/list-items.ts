import Type, { type Static } from 'typebox'
import { searchCursorField } from '../database/search-cursor.js'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ItemReader } from './item-reader.js'
import { IncomingItem, ItemListQuery, OutgoingItem } from './schema.js'

/** Answer of `GET /api/incoming`. */
export const IncomingList = Type.Object(
  { incomingTotal: Type.Integer(), items: Type.Array(IncomingItem), ...searchCursorField },
  { $id: 'IncomingList' },
)
export type IncomingList = Static<typeof IncomingList>

/**
 * Lists what was delivered to the caller or to their organization, newest first (specification, `GET /api/incoming`).
 * For the next page set `until` to the last `sentAt`; an empty page is the end.
 */
export class ListIncoming {
  static readonly operation = operation({
    id: 'listIncoming',
    group: 'routing',
    at: 'GET /incoming',
    who: told('what they received: people; of the organization: who has `routedDocumentsPackagesView`'),
    summary:
      'List incoming items, newest first; read on with until set to the last sentAt until items is empty, in a search with searchCursor until there is none',
    description:
      'What was delivered to the caller; to their organization for who has the right `routedDocumentsPackagesView`.',
    query: ItemListQuery,
    answer: IncomingList,
    refuses: ['accessDenied', 'authenticationRequired', 'requestFieldTooLarge'],
  })
  static readonly inject = { reader: ItemReader }

  constructor(private readonly use: Injected<typeof ListIncoming.inject>) {}

  async execute(caller: Caller, { query = {} }: Input<typeof ListIncoming.operation> = {}): Promise<IncomingList> {
    const { total, ...page } = await this.use.reader.page('incoming', caller, query, (item) =>
      this.use.reader.showIncoming(caller, item),
    )
    return { incomingTotal: total, ...page }
  }
}

/** Answer of `GET /api/outgoing`. */
export const OutgoingList = Type.Object(
  { outgoingTotal: Type.Integer(), items: Type.Array(OutgoingItem), ...searchCursorField },
  { $id: 'OutgoingList' },
)
export type OutgoingList = Static<typeof OutgoingList>

/**
 * Lists what the caller or their organization sent, newest first (specification, `GET /api/outgoing`).
 * For the next page set `until` to the last `sentAt`; an empty page is the end.
 */
export class ListOutgoing {
  static readonly operation = operation({
    id: 'listOutgoing',
    group: 'routing',
    at: 'GET /outgoing',
    who: told('what they sent: people; of the organization: who has `routedDocumentsPackagesView`'),
    summary:
      'List outgoing items, newest first; read on with until set to the last sentAt until items is empty, in a search with searchCursor until there is none',
    description:
      'What the caller sent; what the organization sent for who has the right `routedDocumentsPackagesView`.',
    query: ItemListQuery,
    answer: OutgoingList,
    refuses: ['accessDenied', 'authenticationRequired', 'requestFieldTooLarge'],
  })
  static readonly inject = { reader: ItemReader }

  constructor(private readonly use: Injected<typeof ListOutgoing.inject>) {}

  async execute(caller: Caller, { query = {} }: Input<typeof ListOutgoing.operation> = {}): Promise<OutgoingList> {
    const { total, ...page } = await this.use.reader.page('outgoing', caller, query, (item) =>
      this.use.reader.showOutgoing(caller, item),
    )
    return { outgoingTotal: total, ...page }
  }
}
