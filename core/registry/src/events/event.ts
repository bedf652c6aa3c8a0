/** A document or a package. */
export type Subject =
  | { readonly documentId: string; readonly packageId?: undefined }
  | { readonly packageId: string; readonly documentId?: undefined }

/** Statuses of an incoming or outgoing item (specification, "Incoming and outgoing items"). */
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
  /** Who requested mails about it, if not the signer: the organization whose system sent it, or who started a procedure. */
  readonly askedBy?: string | undefined
  /** True when all documents of its package were signed at once, which `packageSigned` reports. */
  readonly withWholePackage?: true
}

/** Signatures were registered under all documents of a package at once. */
interface PackageSigned {
  readonly type: 'packageSigned'
  readonly packageId: string
  /** In the order of the documents. */
  readonly signIds: readonly number[]
  /** As in `SignatureRegistered`. */
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

/** An item was sent, delivered, opened, commented on, decided on or recalled, its receiver was reminded, or it failed. */
interface ItemChanged {
  readonly type:
    | 'itemSent'
    | 'itemDelivered'
    | 'itemFailed'
    | 'itemOpened'
    | 'itemCommented'
    | 'itemDecided'
    | 'itemReminded'
    | 'itemRecalled'
  /** `incomingId` of its receiver and `outgoingId` of its sender. */
  readonly itemId: string
  readonly subject: Subject
  readonly status: ItemStatus
  readonly commentsCount: number
  /** Number of the comment that this brings, from 1; 0 for none. */
  readonly comment: number
  /** IIN or BIN. */
  readonly sender: string
  /** IIN or BIN. */
  readonly receiver: string
  /** The receiver may see it. */
  readonly isDelivered: boolean
  /** A signature is wanted, not only acceptance. */
  readonly toSign: boolean
  /** Who acted (IIN or BIN); absent where the registry itself moved the item. */
  readonly author?: string | undefined
}

/** A webhook address of an organization is paused: nothing has arrived there for days, or it asked for that. */
interface WebhookPaused {
  readonly type: 'webhookPaused'
  /** BIN. */
  readonly businessId: string
  readonly url: string
}

/** A quota had no room to archive something, or an additional quota has expired. Published once for each quota. */
interface ArchiveQuotaReached {
  readonly type: 'archiveQuotaExceeded' | 'archiveQuotaExpired'
  /** IIN or BIN. */
  readonly owner: string
}

/** The status of a mobile app procedure changed. */
interface ProcedureChanged {
  readonly type: 'procedureChanged'
  readonly documentId?: string | undefined
  readonly packageId?: string | undefined
  readonly operationId: string
  readonly status: 'new' | 'meta' | 'data' | 'done' | 'fail' | 'canceled'
  /** BIN of the organization that started it. */
  readonly businessId?: string | undefined
}

/** An event to publish. Its identifiers lead to everything else that a notification needs. */
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

/** A published event. */
export type RegistryEvent = NewEvent & {
  /** Unique; also in the deliveries that the event caused. */
  readonly eventId: string
  /** Milliseconds. */
  readonly createdAt: number
  /** The trace of what caused it (W3C Trace Context). */
  readonly traceparent?: string | undefined
}
