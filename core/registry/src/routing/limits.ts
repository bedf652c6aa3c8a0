import { limits } from '../kernel/limits.js'

/** Limits of incoming and outgoing items; `createRegistry` takes any of them in its options. */
export interface RoutingLimits {
  /** Comments on an item. */
  readonly commentsPerItem: number
  /** Characters of a comment. */
  readonly comment: number
  /** Items of one document or package that wait for it to be complete. */
  readonly waitingItems: number
  /** Milliseconds that an item waits for its document or package to be complete. */
  readonly sendingMs: number
  /** Reminders of an item. */
  readonly remindersPerItem: number
  /** Milliseconds between delivery and the first reminder, and from one to the next. */
  readonly reminderMs: number
  /** Items of a list that a search looks at; 0 for no limit. */
  readonly searchedItems: number
  /** Recalls of one document or package from one receiver after it was delivered. */
  readonly recalls: number
  /** Milliseconds until the latest deadline. */
  readonly deadlineMs: number
  /** Items sent last, among whose receivers recipients are offered. */
  readonly recipientItems: number
}
export const RoutingLimits = limits<RoutingLimits>('RoutingLimits', {
  commentsPerItem: 100,
  comment: 4000,
  waitingItems: 100,
  sendingMs: 24 * 60 * 60 * 1000,
  remindersPerItem: 3,
  reminderMs: 60 * 60 * 1000,
  searchedItems: 2000,
  recalls: 3,
  deadlineMs: 366 * 24 * 60 * 60 * 1000,
  recipientItems: 500,
})
