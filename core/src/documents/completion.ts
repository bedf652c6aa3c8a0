import { token } from '../kernel/token.js'
import type { StoredDocument } from './document-store.js'

/** What a completion set going. */
export interface Completion {
  /** The outgoing item that was delivered. */
  readonly outgoingId?: string
}

/** Hears that the registration of a document is complete: its hashes are fixed. */
export interface CompletionListener {
  /**
   * Runs inside the transaction that fixes the hashes, with the document locked, and again when that transaction loses a
   * race: it must do nothing but database work.
   */
  documentCompleted(document: StoredDocument): Promise<Completion | undefined>
}
export const CompletionListener = token<CompletionListener>('CompletionListener')

/** Tells listeners in turn; the first `outgoingId` is the one that is answered. */
export async function tellCompletion<L>(
  listeners: readonly L[] | undefined,
  tell: (listener: L) => Promise<Completion | undefined>,
): Promise<Completion> {
  let outgoingId: string | undefined
  for (const listener of listeners ?? []) {
    const completion = await tell(listener)
    outgoingId ??= completion?.outgoingId
  }
  return outgoingId === undefined ? {} : { outgoingId }
}
