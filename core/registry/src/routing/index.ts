export { routingArea } from './area.js'
export {
  CommentedIncoming,
  CommentedOutgoing,
  CommentIncoming,
  CommentIncomingRequest,
  CommentOutgoing,
  CommentOutgoingRequest,
} from './comment-item.js'
export { CommentStore } from './comments.js'
export { routingErrors } from './errors.js'
export { GetDocumentThread } from './get-document-thread.js'
export { GetIncoming, GetOutgoing } from './get-item.js'
export { GetPackageThread } from './get-package-thread.js'
export { ItemSigning } from './item-signing.js'
export { ItemStore, type StoredItem } from './item-store.js'
export { RoutingLimits } from './limits.js'
export { IncomingList, ListIncoming, ListOutgoing, OutgoingList } from './list-items.js'
export { ListRecipients, Recipients } from './list-recipients.js'
export { RecalledOutgoing, RecallOutgoing, RecallOutgoingRequest } from './recall-outgoing.js'
export { RemindedOutgoing, RemindOutgoing } from './remind-outgoing.js'
export * from './schema.js'
export { SendDocument } from './send-document.js'
export { SendPackage } from './send-package.js'
export * from './thread-schema.js'
export { FailOverdueItems } from './waiting-items.js'
