/** A document or a package. */
export type Subject =
  | { readonly documentId: string; readonly packageId?: undefined }
  | { readonly packageId: string; readonly documentId?: undefined }

/** Where an incoming or outgoing item stands (specification, "Incoming and outgoing items"). */
export type ItemStatus = 'sending' | 'failed' | 'new' | 'denied' | 'accepted'

/** A document was registered, with its first signature or without one. */
interface DocumentRegistered {
  readonly type: 'documentRegistered'
  readonly documentId: string
}

/** A signature was registered under a document; the first one too. */
interface SignatureRegistered {
  readonly type: 'signatureRegistered'
  readonly documentId: string
  /** Present when the document is part of a package. */
  readonly packageId?: string | undefined
  readonly signId: number
  /** IIN of the signer. */
  readonly userId: string
  /** BIN of the organization that the signer signed for. */
  readonly businessId?: string | undefined
}

/** The hashes of a document are fixed. */
interface DocumentCompleted {
  readonly type: 'documentCompleted'
  readonly documentId: string
  readonly packageId?: string | undefined
}

interface PackageRegistered {
  readonly type: 'packageRegistered'
  readonly packageId: string
}

/** The hashes of every document of a package are fixed. */
interface PackageCompleted {
  readonly type: 'packageCompleted'
  readonly packageId: string
}

/** An item was sent, delivered, commented or decided, or could not be delivered. */
interface ItemChanged {
  readonly type: 'itemSent' | 'itemDelivered' | 'itemFailed' | 'itemCommented' | 'itemDecided'
  /** `incomingId` of its receiver and `outgoingId` of its sender. */
  readonly itemId: string
  readonly subject: Subject
  readonly status: ItemStatus
  readonly commentsCount: number
  /** IIN or BIN. */
  readonly sender: string
  /** IIN or BIN. */
  readonly receiver: string
  /** Who sent, commented or decided (IIN or BIN); absent where the registry itself moved the item. */
  readonly author?: string | undefined
}

/** What happened. Its identifiers lead to everything else that a notification may want to say. */
export type Happening =
  | DocumentRegistered
  | SignatureRegistered
  | DocumentCompleted
  | PackageRegistered
  | PackageCompleted
  | ItemChanged

/** Something that happened, as the outbox keeps it. */
export type RegistryEvent = Happening & {
  /** Stays the same however often the event is handed on. */
  readonly eventId: string
  /** Milliseconds. */
  readonly createdAt: number
}
