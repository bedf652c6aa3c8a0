import type { IncomingItem, OutgoingItem } from '@signed-registry/client'

interface Told {
  readonly senderName?: string
  readonly receiverName?: string
  readonly signedAt?: number
}

/** An item as its sender sees it. */
export type Sent = OutgoingItem & Told
/** An item as its receiver sees it. */
export type Received = IncomingItem & Told
/** An item as either side sees it. */
export type Item = Received | Sent
