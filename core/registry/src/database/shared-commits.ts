import { AsyncResource } from 'node:async_hooks'
import type { Knex } from 'knex'
import { Batch } from '../kernel/batch.js'
import { isRetryable } from './dialect.js'
import { retryLost } from './retry.js'

type Work<T> = (trx: Knex.Transaction) => Promise<T>

interface Waiting {
  /** Does the work, and answers how to tell whoever waits for it. */
  attempt(trx: Knex.Transaction): Promise<() => void>
  reject(error: unknown): void
}

/**
 * Commits together what comes in one turn of the event loop: SQLite writes one transaction after the other, and
 * bringing a commit to the disk takes longer than its work. Each piece of work still keeps all of its effects or none,
 * and nobody is answered before the commit.
 */
export class SharedCommits {
  private readonly batch = new Batch((works: readonly Waiting[]) => this.commit(works), { items: 32, atOnce: 1 })

  /** `transaction` begins one, and ends it with the work. */
  constructor(private readonly transaction: <T>(work: Work<T>) => Promise<T>) {}

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Work runs in the asynchronous context of whoever asked for it, not of who came first.
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

async function attemptAll(together: readonly Waiting[], trx: Knex.Transaction): Promise<(() => void)[]> {
  const [first, ...others] = together
  if (first !== undefined && others.length === 0) return [await first.attempt(trx)]
  const outcomes: (() => void)[] = []
  for (const one of together) outcomes.push(await attemptApart(one, trx))
  return outcomes
}

/** Does one piece of work so that its failure undoes nothing of the others. */
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
