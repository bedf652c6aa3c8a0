import {
  CommentedIncoming,
  CommentedOutgoing,
  CommentIncoming,
  CommentIncomingRequest,
  CommentOutgoing,
  CommentOutgoingRequest,
  GetIncoming,
  GetOutgoing,
  IncomingItem,
  IncomingList,
  ItemListQuery,
  ItemQuery,
  ListIncoming,
  ListOutgoing,
  OutgoingItem,
  OutgoingList,
  type Registry,
  SendDocument,
  SendPackage,
  SendRequest,
  SentItem,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { type Api, addComponents, ref } from '../http/components.js'
import { DocumentParams } from './documents.js'
import { operation } from './operation.js'
import { PackageParams } from './packages.js'

const IncomingParams = Type.Object({ incomingId: Type.String({ description: 'identifier of the incoming item' }) })
const OutgoingParams = Type.Object({ outgoingId: Type.String({ description: 'identifier of the outgoing item' }) })

/** Sending to a counterparty, and what was received and sent. */
export function routingRoutes(app: Api, registry: Registry): void {
  sendRoutes(app, registry)
  incomingRoutes(app, registry)
  outgoingRoutes(app, registry)
}

function sendRoutes(app: Api, registry: Registry): void {
  const sendDocument = registry.get(SendDocument)
  const sendPackage = registry.get(SendPackage)
  addComponents(app, [SendRequest, SentItem])

  app.post(
    '/:id/send',
    {
      schema: operation(
        'sendDocument',
        'routing',
        'Send a document to a counterparty',
        { params: DocumentParams, body: ref(SendRequest) },
        ref(SentItem),
      ),
    },
    ({ caller, params, body }) => sendDocument.execute(caller, params.id, body),
  )

  app.post(
    '/package/:packageId/send',
    {
      schema: operation(
        'sendPackage',
        'routing',
        'Send a package to a counterparty',
        { params: PackageParams, body: ref(SendRequest) },
        ref(SentItem),
      ),
    },
    ({ caller, params, body }) => sendPackage.execute(caller, params.packageId, body),
  )
}

function incomingRoutes(app: Api, registry: Registry): void {
  const listIncoming = registry.get(ListIncoming)
  const getIncoming = registry.get(GetIncoming)
  const commentIncoming = registry.get(CommentIncoming)
  addComponents(app, [IncomingItem, IncomingList, CommentIncomingRequest, CommentedIncoming])

  app.get(
    '/incoming',
    {
      schema: operation(
        'listIncoming',
        'routing',
        'List incoming items, newest first; read on with until set to the last sentAt until items is empty',
        { querystring: ItemListQuery },
        ref(IncomingList),
      ),
    },
    ({ caller, query }) => listIncoming.execute(caller, query),
  )

  app.get(
    '/incoming/:incomingId',
    {
      schema: operation(
        'getIncoming',
        'routing',
        'Read an incoming item with its comments',
        { params: IncomingParams, querystring: ItemQuery },
        ref(IncomingItem),
      ),
    },
    ({ caller, params, query }) => getIncoming.execute(caller, params.incomingId, query),
  )

  app.post(
    '/incoming/:incomingId/comment',
    {
      schema: operation(
        'commentIncoming',
        'routing',
        'Accept, deny or comment an incoming item',
        { params: IncomingParams, body: ref(CommentIncomingRequest) },
        ref(CommentedIncoming),
      ),
    },
    ({ caller, params, body }) => commentIncoming.execute(caller, params.incomingId, body),
  )
}

function outgoingRoutes(app: Api, registry: Registry): void {
  const listOutgoing = registry.get(ListOutgoing)
  const getOutgoing = registry.get(GetOutgoing)
  const commentOutgoing = registry.get(CommentOutgoing)
  addComponents(app, [OutgoingItem, OutgoingList, CommentOutgoingRequest, CommentedOutgoing])

  app.get(
    '/outgoing',
    {
      schema: operation(
        'listOutgoing',
        'routing',
        'List outgoing items, newest first; read on with until set to the last sentAt until items is empty',
        { querystring: ItemListQuery },
        ref(OutgoingList),
      ),
    },
    ({ caller, query }) => listOutgoing.execute(caller, query),
  )

  app.get(
    '/outgoing/:outgoingId',
    {
      schema: operation(
        'getOutgoing',
        'routing',
        'Read an outgoing item with its comments',
        { params: OutgoingParams, querystring: ItemQuery },
        ref(OutgoingItem),
      ),
    },
    ({ caller, params, query }) => getOutgoing.execute(caller, params.outgoingId, query),
  )

  app.post(
    '/outgoing/:outgoingId/comment',
    {
      schema: operation(
        'commentOutgoing',
        'routing',
        'Comment an outgoing item',
        { params: OutgoingParams, body: ref(CommentOutgoingRequest) },
        ref(CommentedOutgoing),
      ),
    },
    ({ caller, params, body }) => commentOutgoing.execute(caller, params.outgoingId, body),
  )
}
