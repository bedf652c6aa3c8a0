/** A document or a package. */
export type Subject =
  | { readonly documentId: string; readonly packageId?: undefined }
  | { readonly packageId: string; readonly documentId?: undefined }

/** Where an incoming or outgoing item stands (specification, "Incoming and outgoing items"). */
export const ITEM_STATUSES = ['sending', 'failed', 'new', 'denied', 'accepted'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** A document was registered, with its first signature or without one. */
interface DocumentRegistered {
  readonly type: 'documentRegistered'
  readonly documentId: string
  /** BIN of the organization whose system registered it. */
  readonly businessId?: string | undefined
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
  /** Who asked for mails about it, where that is not the signer: the organization whose system brought it, or who began a procedure. */
  readonly askedBy?: string | undefined
  /** It was registered together with those of all documents of its package, of which `packageSigned` tells. */
  readonly withWholePackage?: true
}

/** Signatures were registered under all documents of a package at once. */
interface PackageSigned {
  readonly type: 'packageSigned'
  readonly packageId: string
  /** In the order of the documents. */
  readonly signIds: readonly number[]
  /** As of one. */
  readonly askedBy?: string | undefined
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

/** Nothing is sent any more to a webhook address of an organization: nothing has arrived there for days, or it said so. */
interface WebhookPaused {
  readonly type: 'webhookPaused'
  /** BIN. */
  readonly businessId: string
  readonly url: string
}

/** Something was not archived, because a quota has no room for it; or an additional quota has expired. Told once for each quota. */
interface ArchiveQuotaReached {
  readonly type: 'archiveQuotaExceeded' | 'archiveQuotaExpired'
  /** IIN or BIN. */
  readonly owner: string
}

/** A procedure of the mobile app changed its status. */
interface ProcedureChanged {
  readonly type: 'procedureChanged'
  readonly documentId?: string | undefined
  readonly packageId?: string | undefined
  readonly operationId: string
  readonly status: 'new' | 'meta' | 'data' | 'done' | 'fail' | 'canceled'
  /** BIN of the organization that began it. */
  readonly businessId?: string | undefined
}

/** What a transaction makes happen. Its identifiers lead to everything else that a notification may want to say. */
export type NewEvent =
  | DocumentRegistered
  | SignatureRegistered
  | PackageSigned
  | DocumentCompleted
  | PackageRegistered
  | PackageCompleted
  | ItemChanged
  | ProcedureChanged
  | WebhookPaused
  | ArchiveQuotaReached

/** Something that happened. */
export type RegistryEvent = NewEvent & {
  /** Unique; deliveries that the event caused carry it. */
  readonly eventId: string
  /** Milliseconds. */
  readonly createdAt: number
}
