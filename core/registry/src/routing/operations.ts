export {
  type CommentedIncoming,
  type CommentedOutgoing,
  CommentIncoming,
  type CommentIncomingRequest,
  CommentOutgoing,
  type CommentOutgoingRequest,
} from './comment-item.js'
export { GetDocumentThread } from './get-document-thread.js'
export { GetIncoming, GetOutgoing } from './get-item.js'
export { GetPackageThread } from './get-package-thread.js'
export { type IncomingList, ListIncoming, ListOutgoing, type OutgoingList } from './list-items.js'
export { ListRecipients, type Recipients } from './list-recipients.js'
export { type RecalledOutgoing, RecallOutgoing, type RecallOutgoingRequest } from './recall-outgoing.js'
export { type RemindedOutgoing, RemindOutgoing } from './remind-outgoing.js'
export type { IncomingItem, ItemListQuery, OutgoingItem, SendRequest, SentItem } from './schema.js'
export { SendDocument } from './send-document.js'
export { SendPackage } from './send-package.js'
export type { DocumentThread, PackageThread, ThreadAwaited, ThreadStep, ThreadYou } from './thread-schema.js'
