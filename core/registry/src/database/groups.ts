import { Batch, type BatchLimits } from '../kernel/batch.js'
import { databaseFailure } from './dialect.js'

/** A group that waits for a lock does not hold the next ones. */
const LIMITS: BatchLimits = {
  items: 32,
  atOnce: 1,
  whenSlow: { ms: 20, atOnce: 3 },
  // A database that cannot be reached has nobody's fault in it: asking again for each would take that many times as long.
  orEachAlone: (error) => databaseFailure(error) === undefined,
}

/**
 * Does together what comes at the same time: statements and commits of many cost little more than those of one. Not for who
 * is in a transaction, since a group has one of its own or none. Each succeeds or fails alone: a group that fails is done
 * again one by one.
 */
export class Groups<Item, Result> extends Batch<Item, Result> {
  /** `work` does all of its items or none, and gives a result for each in their order. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    super(work, LIMITS)
  }
}
