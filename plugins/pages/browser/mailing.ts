import type { ListedRecipient } from './recipients-file.js'

/** What is sent: documents and packages. */
export interface SentObject {
  readonly kind: 'document' | 'package'
  readonly id: string
  readonly title: string
}

/** What became of one object and one recipient. */
export interface SentState {
  readonly state: 'sent' | 'already' | 'refused'
  readonly outgoingId?: string
  readonly why?: string
}

/** Sending to a list: kept in the browser until it is dismissed, so that a closed tab sends nothing twice and forgets nothing. */
export interface Mailing {
  /** The beginning of its idempotency keys. */
  readonly key: string
  readonly objects: readonly SentObject[]
  readonly recipients: readonly ListedRecipient[]
  readonly toSign: boolean
  /** By recipient, one after the other, the states of all objects. */
  readonly states: Readonly<Record<string, SentState>>
}

const KEY = 'mailing'

export const placeOf = (recipient: number, object: number): string => `${recipient}-${object}`

/** The one that is under way in this browser for these objects. */
export function keptMailing(objects: readonly SentObject[]): Mailing | undefined {
  try {
    const kept: Mailing | null = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const ids = (all: readonly SentObject[]) => all.map(({ id }) => id).join()
    return kept !== null && ids(kept.objects) === ids(objects) ? kept : undefined
  } catch {
    return undefined
  }
}

export function keepMailing(mailing: Mailing): Mailing {
  try {
    localStorage.setItem(KEY, JSON.stringify(mailing))
  } catch {
    // Without storage only resuming after a closed tab is lost.
  }
  return mailing
}

export function dismissMailing(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // As above.
  }
}
