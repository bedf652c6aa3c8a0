import type { Subject } from '../events/index.js'
import type { EvidenceState } from './evidence-state.js'

/** Where attached originals may come from. */
export type Attaching =
  /** No attachments. */
  | 'none'
  /** The archive or temporary storage. */
  | 'stored'
  /** As `stored`, or the copy that was spooled when the original came by `POST /api/{id}/data`. */
  | 'passing'

/** About a document (specification, mail types 1, 6, 2 and 3). */
type OfDocument =
  | {
      readonly kind: 'documentSigned' | 'documentPreregistered'
      readonly documentId: string
      readonly attach: Attaching
    }
  | {
      readonly kind: 'signatureAdded'
      readonly documentId: string
      readonly signId: number
      readonly attach: Attaching
    }
  | { readonly kind: 'ownDocumentSigned'; readonly documentId: string; readonly signId: number }

/** About a package (mail type 7), or signatures under all of its documents at once. */
type OfPackage =
  | {
      readonly kind: 'packageRegistered'
      readonly packageId: string
      /** Documents whose originals may be attached. */
      readonly attach: readonly string[]
    }
  | {
      readonly kind: 'packageSigned'
      readonly packageId: string
      readonly signIds: readonly number[]
      readonly attach: readonly string[]
    }
  | { readonly kind: 'ownPackageSigned'; readonly packageId: string; readonly signIds: readonly number[] }

/** About an item; `itemId` is the receiver's `incomingId` or the sender's `outgoingId`. */
interface OfItem {
  readonly kind:
    | 'itemReceived'
    | 'itemToSign'
    | 'itemReminded'
    | 'itemRecalled'
    | 'itemCommented'
    | 'itemAccepted'
    | 'itemDenied'
    | 'itemFailed'
  readonly itemId: string
  readonly subject: Subject
  /** Where the recipient finds it. */
  readonly side: 'incoming' | 'outgoing'
  /** The other party (IIN or BIN). */
  readonly party: string
  /** Number of the comment that it is about, from 1; 0 for none. */
  readonly comment: number
}

/** It is the recipient's turn to sign (`sequentialSignersRequirements`). */
interface OfTurn {
  readonly kind: 'signerTurn'
  readonly subject: Subject
}

/** About an account (types 4 and 5, paused webhooks, the subscription). */
type OfAccount =
  | { readonly kind: 'archiveQuotaExceeded' | 'archiveQuotaExpired'; readonly owner: string }
  | { readonly kind: 'webhookPaused'; readonly owner: string; readonly url: string }
  | {
      readonly kind: 'subscriptionChanged' | 'subscriptionEnding' | 'subscriptionEnded'
      readonly owner: string
      readonly name: string
      /** Milliseconds; 0 without expiry. */
      readonly expires: number
    }

/** About documents whose digests end soon; `owner` is told how many of theirs there are. */
interface OfDigests {
  readonly kind: 'digestsEnding'
  readonly owner: string
  /** Name of the digest that ends last, and when that is, milliseconds. */
  readonly digest: string
  readonly until: number
  readonly documents: number
}

/** Whose deliveries those to the operator are. */
export const OPERATOR = 'operator' as const

/** About the proof of what is registered, to the operator: as it stood then. */
interface OfOperator {
  readonly kind: 'evidenceEnds' | 'evidenceEnded' | 'evidenceRestarted' | 'evidenceRenewed'
  readonly owner: typeof OPERATOR
  readonly state: EvidenceState
}

/** What a mail is about; the details are read by the identifiers when the mail is written. */
export type News = OfDocument | OfPackage | OfItem | OfTurn | OfAccount | OfDigests | OfOperator
export type NewsKind = News['kind']

/** What a delivery of the channel `mail` keeps. */
export interface MailPayload {
  readonly to: string
  /** Tag such as `ru` or `kk/en`. */
  readonly language: string
  readonly news: News
  /** Sent in place of `news` where that is withheld: what the recipient's own settings ask for. */
  readonly otherwise?: News
  /** An organization with a budget of its own asked for it. */
  readonly isOfKnown?: boolean
  /** An anonymous caller asked for it: it carries none of their texts or files. */
  readonly isOfStranger?: boolean
}

/**
 * Kinds of mail that a person may unsubscribe from. Links contain the index, so the order never changes. All news belong to
 * one of them, except what an owner has to know about an account.
 */
export const REFUSABLE = ['registered', 'signatures', 'ownDocuments', 'packages', 'items'] as const
export type Refusable = (typeof REFUSABLE)[number]

const REFUSED_AS: Readonly<Record<NewsKind, Refusable | undefined>> = {
  documentSigned: 'registered',
  documentPreregistered: 'registered',
  signatureAdded: 'signatures',
  ownDocumentSigned: 'ownDocuments',
  packageRegistered: 'packages',
  packageSigned: 'signatures',
  ownPackageSigned: 'ownDocuments',
  itemReceived: 'items',
  itemToSign: 'items',
  itemReminded: 'items',
  itemRecalled: 'items',
  signerTurn: 'items',
  itemCommented: 'items',
  itemAccepted: 'items',
  itemDenied: 'items',
  itemFailed: 'items',
  archiveQuotaExceeded: undefined,
  archiveQuotaExpired: undefined,
  webhookPaused: undefined,
  subscriptionChanged: undefined,
  subscriptionEnding: undefined,
  subscriptionEnded: undefined,
  digestsEnding: undefined,
  evidenceEnds: undefined,
  evidenceEnded: undefined,
  evidenceRestarted: undefined,
  evidenceRenewed: undefined,
}

/** The kind that a recipient of such news can unsubscribe from. */
export const refusedAs = (kind: NewsKind): Refusable | undefined => REFUSED_AS[kind]

const BY_SETTINGS: ReadonlySet<string> = new Set(['ownDocumentSigned', 'ownPackageSigned', 'signerTurn'])
/** True for news to an address in the recipient's settings rather than one that somebody else named. */
export const isBySettings = (news: News): boolean => BY_SETTINGS.has(news.kind) || 'owner' in news || 'itemId' in news
