import Type from 'typebox'
import { Database } from '../database/database.js'
import { databaseFailure } from '../database/dialect.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ItemReader } from './item-reader.js'
import type { StoredItem } from './item-store.js'
import { MoveItems } from './move-items.js'
import { onItem } from './on-item.js'
import { IncomingItem, IncomingParams, OutgoingItem, OutgoingParams } from './schema.js'

/** Query of one item. */
const ItemQuery = Type.Object({ includeDetails: Type.Optional(Type.Boolean()) })

/** Answers an incoming item with its comments (specification, `GET /api/incoming/{incomingId}`). */
export class GetIncoming {
  static readonly operation = operation({
    id: 'getIncoming',
    group: 'routing',
    at: 'GET /incoming/:incomingId',
    who: onItem('incoming'),
    summary: 'Read an incoming item with its comments',
    description:
      'For the receiver alone; the sender is told when it is first read. With `includeDetails=true` the document or package is in the answer, for whoever may view it.',
    params: IncomingParams,
    query: ItemQuery,
    answer: IncomingItem,
  })
  static readonly inject = { reader: ItemReader, moves: MoveItems, database: Database }

  constructor(private readonly use: Injected<typeof GetIncoming.inject>) {}

  async execute(caller: Caller, { item, query = {} }: Admitted<typeof GetIncoming.operation>): Promise<IncomingItem> {
    const single = await this.use.reader.single(await this.opened(item), query.includeDetails)
    return { ...(await this.use.reader.showIncoming(caller, single.shown)), ...single.with }
  }

  /** Notes the first reading; a database that is full or takes no writes can still be read. */
  private async opened(item: StoredItem): Promise<StoredItem> {
    if (item.openedAt !== undefined) return item
    try {
      return await this.use.database.transaction(() => this.use.moves.open(item))
    } catch (error) {
      if (databaseFailure(error) === undefined) throw error
      return item
    }
  }
}

/** Answers an outgoing item with its comments (specification, `GET /api/outgoing/{outgoingId}`). */
export class GetOutgoing {
  static readonly operation = operation({
    id: 'getOutgoing',
    group: 'routing',
    at: 'GET /outgoing/:outgoingId',
    who: onItem('outgoing'),
    summary: 'Read an outgoing item with its comments',
    description:
      'For the sender alone. With `includeDetails=true` the document or package is in the answer, for whoever may view it.',
    params: OutgoingParams,
    query: ItemQuery,
    answer: OutgoingItem,
  })
  static readonly inject = { reader: ItemReader }

  constructor(private readonly use: Injected<typeof GetOutgoing.inject>) {}

  async execute(caller: Caller, { item, query = {} }: Admitted<typeof GetOutgoing.operation>): Promise<OutgoingItem> {
    const single = await this.use.reader.single(item, query.includeDetails)
    return { ...(await this.use.reader.showOutgoing(caller, single.shown)), ...single.with }
  }
}
