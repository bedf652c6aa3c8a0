import type { AwaitedSigner, DocumentRecord } from '../documents/index.js'
import type { StoredItem } from './item-store.js'
import type { ThreadYou } from './thread-schema.js'
import type { ThreadViewer } from './thread-viewer.js'

/** A document and what it is to the caller. */
export interface DocumentToSign {
  readonly document: DocumentRecord
  readonly awaited: readonly AwaitedSigner[]
  /** When the caller last signed it, in the role in which they call now and in any. */
  readonly signedAt: number | undefined
  readonly signedInAnyRole: boolean
}

/** How what a thread is about is signed: each document alone, all together, or only with the package that it is in. */
export type ThreadSigning = 'each' | 'whole' | 'elsewhere'

/** What of a thread concerns the caller. */
export interface ThreadState {
  readonly documents: readonly DocumentToSign[]
  /** Whether these are all documents. */
  readonly areAll: boolean
  readonly signing: ThreadSigning
  /** The newest item that the caller has not decided. */
  readonly undecided: StoredItem | undefined
  /** Whether an item asks the caller to sign. */
  readonly isAsked: boolean
  /** Whether the caller waits for others' decisions. */
  readonly awaitsDecision: boolean
  readonly now: number
}

/** When the caller signed, and what comes next for them. */
export function whatNext(viewer: ThreadViewer, state: ThreadState): ThreadYou {
  const { undecided, documents, areAll } = state
  const signed = documents.map(({ signedAt }) => signedAt ?? 0)
  const signedAt = areAll && signed.length > 0 && signed.every((at) => at > 0) ? Math.max(...signed) : undefined
  return {
    ...(signedAt !== undefined && { signedAt }),
    next: next(viewer, state),
    ...(undecided && { incomingId: undecided.id }),
  }
}

function next(viewer: ThreadViewer, state: ThreadState): ThreadYou['next'] {
  const { documents, signing, areAll, undecided, isAsked, awaitsDecision, now } = state
  const open = documents.filter((one) => maySign(viewer, one, now))
  const isOpen =
    open.length > 0 && (signing === 'each' || (signing === 'whole' && areAll && open.length === documents.length))
  if (isOpen && (isAsked || open.some((one) => isAwaited(viewer, one)))) return 'sign'
  if (undecided && viewer.mayDecide) return 'decide'
  if (awaitsDecision || documents.some(({ awaited }) => awaited.some((one) => one.next))) return 'wait'
  return 'nothing'
}

/** Whether somebody in the caller's role is awaited now; of authorities only the certificate of the signature tells. */
const isAwaited = (viewer: ThreadViewer, { awaited }: DocumentToSign): boolean =>
  awaited.some((one) => one.next && mayMeet(viewer, one))

function maySign(viewer: ThreadViewer, one: DocumentToSign, now: number): boolean {
  const { document, signedAt, signedInAnyRole } = one
  const { settings, signaturesTotal, digestsFixedAt } = document
  const { signUntil, signaturesLimit = 0, unique = [], signersRequirements = [] } = settings
  if (viewer.signer === undefined || digestsFixedAt === undefined) return false
  if (signUntil !== undefined && now >= signUntil) return false
  if (signaturesLimit > 0 && signaturesTotal >= signaturesLimit) return false
  if (unique.includes('iin') && signedInAnyRole) return false
  const isInOrder = settings.sequentialSignersRequirements ?? false
  if (signedAt !== undefined && !(isInOrder && isAwaited(viewer, one))) return false
  if (signersRequirements.length === 0) return true
  if (signaturesTotal === 0 && !(settings.strictSignersRequirements ?? false)) return true
  return isInOrder ? isAwaited(viewer, one) : signersRequirements.some((rule) => mayMeet(viewer, rule))
}

function mayMeet({ signer, authorities }: ThreadViewer, rule: Omit<AwaitedSigner, 'next'>): boolean {
  return (
    (rule.iin === undefined || rule.iin === signer?.userId) &&
    (rule.bin === undefined || rule.bin === signer?.businessId) &&
    (rule.authorities === undefined || rule.authorities.some((oid) => authorities.includes(oid)))
  )
}
