import { Batch, type BatchLimits } from '../kernel/batch.js'
import { databaseFailure } from './dialect.js'

/** A group that waits for a lock does not hold up the next ones. */
const LIMITS: BatchLimits = {
  items: 32,
  atOnce: 1,
  whenSlow: { ms: 20, atOnce: 3 },
  // No item is to blame for a database that cannot be reached, and one by one they would only take longer to fail.
  orEachAlone: (error) => databaseFailure(error) === undefined,
}

/**
 * Processes concurrent items as a group: its statements and commit cost little more than those of one item. Not for callers
 * in a transaction, since a group has its own or none. After a failure the items are processed one by one, to fail alone.
 */
export class Groups<Item, Result> extends Batch<Item, Result> {
  /** `work` processes all of its items or none, and returns a result for each in their order. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    super(work, LIMITS)
  }
}
