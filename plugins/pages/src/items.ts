import type { IncomingItem, OutgoingItem } from '@signed-registry/client'

interface Told {
  readonly senderName?: string
  readonly receiverName?: string
  readonly toSign?: boolean
  readonly deadline?: number
  readonly openedAt?: number
  readonly recalled?: boolean
  readonly signedAt?: number
  readonly reminders?: number
  readonly remindersLeft?: number
}

/** An item as either side sees it. */
export type Item = (IncomingItem | OutgoingItem) & Told
