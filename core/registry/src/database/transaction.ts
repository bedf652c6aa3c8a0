import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { Batch } from '../kernel/batch.js'
import { isRetryable } from './dialect.js'

/** Resolves when pending promises have settled: code that did not wait for a statement has then begun its next one. */
export const everybodyElse = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** What Knex tells of a statement. */
export interface SentStatement {
  readonly sql: string
  readonly __knexQueryUid?: string
}

/**
 * The state of a transaction. It is rolled back unless the work awaits each of its statements: the failure of one that it
 * does not await, or one that comes after the commit, would go unnoticed.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = []
  private readonly underWay = new Set<string>()
  private state: 'working' | 'ending' | 'over' = 'working'
  private fault: Error | undefined
  /** After a deadlock the server has rolled back what came before, and would keep what comes after. */
  private lost: unknown

  constructor(
    /** The database that it belongs to. */
    readonly database: object,
    readonly trx: Knex.Transaction,
    /** The transaction of another database around this one. */
    readonly outer: Transaction | undefined,
  ) {}

  /** Does the work; throws if it did not await a statement. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      if (this.underWay.size > 0) this.blame('commit')
      this.state = 'ending'
      await everybodyElse()
      const fault = this.lost ?? this.fault
      if (fault !== undefined) throw fault
      return result
    } finally {
      this.state = 'over'
    }
  }

  /** Notes a statement that begins. The savepoints of Knex's nested transactions have no id, and no end is told of them. */
  begin({ sql, __knexQueryUid: id }: SentStatement): void {
    if (this.state === 'over') throw new TypeError(`The transaction is over, an \`await\` is missing before: ${sql}`)
    if (this.lost !== undefined) throw this.lost
    if (id === undefined) return
    if (this.state === 'ending' || this.underWay.size > 0) this.blame(sql)
    this.underWay.add(id)
  }

  /** Notes a statement that ended, or failed. */
  end({ __knexQueryUid: id }: SentStatement, error?: unknown): void {
    if (id !== undefined) this.underWay.delete(id)
    if (isRetryable(error)) this.lost ??= error
  }

  private blame(next: string): void {
    this.fault ??= new TypeError(`A transaction did not wait for a statement, an \`await\` is missing before: ${next}`)
  }
}

/** Retrying stops after this time, although one attempt may take as long as the database waits for a lock. */
const BUDGET_MS = 5000
const PAUSE_MS = 5
const DOUBLINGS = 6

/** Retries database work that lost a race with another host, after growing pauses, for five seconds. */
export async function retryLost<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + BUDGET_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() >= until || !isRetryable(error)) throw error
      await pause(Math.random() * PAUSE_MS * 2 ** Math.min(attempt, DOUBLINGS))
    }
  }
}

type Work<T> = (trx: Knex.Transaction) => Promise<T>

interface Waiting {
  /** Does the work, and returns a function that resolves its caller's promise. */
  attempt(trx: Knex.Transaction): Promise<() => void>
  reject(error: unknown): void
}

/**
 * Commits the work of one turn of the event loop as one transaction: SQLite writes one transaction after another, and syncing
 * a commit to disk takes longer than its work. Each piece of work still keeps all of its effects or none, and is answered
 * after the commit.
 */
export class SharedCommits {
  private readonly batch = new Batch((works: readonly Waiting[]) => this.commit(works), { items: 32, atOnce: 1 })

  /** `transaction` runs work in a transaction. */
  constructor(private readonly transaction: <T>(work: Work<T>) => Promise<T>) {}

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Work runs in the asynchronous context of its own caller, not in that of the first of the batch.
      const attempt = AsyncResource.bind(async (trx: Knex.Transaction) => {
        const value = await work(trx)
        return () => resolve(value)
      })
      this.batch.run({ attempt, reject }).then((tell) => tell(), reject)
    })
  }

  private commit(works: readonly Waiting[]): Promise<(() => void)[]> {
    return retryLost(() => this.transaction((trx) => attemptAll(works, trx)))
  }
}

async function attemptAll(batch: readonly Waiting[], trx: Knex.Transaction): Promise<(() => void)[]> {
  const [first, ...others] = batch
  if (first !== undefined && others.length === 0) return [await first.attempt(trx)]
  const outcomes: (() => void)[] = []
  for (const one of batch) outcomes.push(await attemptApart(one, trx))
  return outcomes
}

/** Does one piece of work in a savepoint, so that its failure undoes nothing of the others. */
async function attemptApart({ attempt, reject }: Waiting, trx: Knex.Transaction): Promise<() => void> {
  await trx.raw('savepoint apart')
  try {
    const tell = await attempt(trx)
    await trx.raw('release apart')
    return tell
  } catch (error) {
    if (isRetryable(error)) throw error
    await trx.raw('rollback to apart')
    await trx.raw('release apart')
    return () => reject(error)
  }
}
