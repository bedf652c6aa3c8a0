import { createHash } from 'node:crypto'
import type { LoggedFact } from '../log/index.js'
import type { StoredItem } from './item-store.js'

/** A delivery, for the log: what never changes of the item. */
export const deliveryFact = ({ id, subject, sender, receiver, sentAt, deliveredAt }: StoredItem): LoggedFact => ({
  kind: 'delivery',
  ref: id,
  fields: [
    ['itemId', id],
    ['documentId', subject.documentId],
    ['packageId', subject.packageId],
    ['sender', sender],
    ['receiver', receiver],
    ['sentAt', new Date(sentAt).toISOString()],
    ['deliveredAt', deliveredAt === undefined ? undefined : new Date(deliveredAt).toISOString()],
  ],
})

/** A recall of what was delivered, for the log. */
export const recallFact = ({ id, sender, failedAt = 0 }: StoredItem): LoggedFact => ({
  kind: 'recall',
  ref: id,
  fields: [
    ['itemId', id],
    ['author', sender],
    ['recalledAt', new Date(failedAt).toISOString()],
  ],
})

/** What a receiver decided about an item. */
export interface Decision {
  readonly itemId: string
  readonly status: 'denied' | 'accepted'
  /** IIN or BIN. */
  readonly author: string
  /** Milliseconds. */
  readonly storedAt: number
  /** The comment that came with it. */
  readonly value?: string | undefined
}

/** A decision, for the log. */
export const decisionFact = ({ itemId, status, author, storedAt, value }: Decision): LoggedFact => ({
  kind: 'decision',
  ref: itemId,
  fields: [
    ['itemId', itemId],
    ['status', status],
    ['author', author],
    ['decidedAt', new Date(storedAt).toISOString()],
    ['comment', value === undefined ? undefined : createHash('sha256').update(value).digest('hex')],
  ],
})
