import type { IncomingItem, OutgoingItem } from '@signed-registry/client'

/** An item as either side sees it. */
export type Item = IncomingItem | OutgoingItem
