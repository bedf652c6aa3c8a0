export { routingArea } from './area.js'
export {
  CommentedIncoming,
  CommentedOutgoing,
  CommentIncoming,
  CommentIncomingRequest,
  CommentOutgoing,
  CommentOutgoingRequest,
} from './comment-item.js'
export { routingErrors } from './errors.js'
export { GetIncoming, GetOutgoing } from './get-item.js'
export { RoutingLimits } from './limits.js'
export { IncomingList, ListIncoming, ListOutgoing, OutgoingList } from './list-items.js'
export { RecalledOutgoing, RecallOutgoing, RecallOutgoingRequest } from './recall-outgoing.js'
export { RemindedOutgoing, RemindOutgoing } from './remind-outgoing.js'
export * from './schema.js'
export { SendDocument } from './send-document.js'
export { SendPackage } from './send-package.js'
export { FailOverdueItems } from './waiting-items.js'
