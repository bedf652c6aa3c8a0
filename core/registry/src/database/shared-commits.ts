import { AsyncResource } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isRetryable } from './dialect.js'
import { retryLost } from './retry.js'

type Work<T> = (trx: Knex.Transaction) => Promise<T>

interface Waiting {
  /** Does the work, and answers how to tell whoever waits for it. */
  attempt(trx: Knex.Transaction): Promise<() => void>
  reject(error: unknown): void
}

const MAX_AT_ONCE = 32

/**
 * Commits together what comes in one turn of the event loop: SQLite writes one transaction after the other, and
 * bringing a commit to the disk takes longer than its work. Each piece of work still keeps all of its effects or none,
 * and nobody is answered before the commit.
 */
export class SharedCommits {
  private readonly waiting: Waiting[] = []
  private busy = false

  constructor(private readonly pool: Knex) {}

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Work runs in the asynchronous context of whoever asked for it, not of who came first.
      const attempt = AsyncResource.bind(async (trx: Knex.Transaction) => {
        const value = await work(trx)
        return () => resolve(value)
      })
      this.waiting.push({ attempt, reject })
      if (!this.busy) void this.commitAll()
    })
  }

  private async commitAll(): Promise<void> {
    this.busy = true
    while (this.waiting.length > 0) {
      // The driver never yields: without a pause nobody else could come, and everybody would commit alone.
      await setImmediate()
      await this.commit()
    }
    this.busy = false
  }

  private async commit(): Promise<void> {
    const together: Waiting[] = []
    try {
      const outcomes = await retryLost(() =>
        this.pool.transaction((trx) => {
          // Not before the connection is there: whoever came until then comes along.
          together.push(...this.waiting.splice(0, MAX_AT_ONCE - together.length))
          return attemptAll(together, trx)
        }),
      )
      for (const tell of outcomes) tell()
    } catch (error) {
      // Without a connection nobody's turn has come: the first in the row bears the failure, so that the row moves on.
      if (together.length === 0) together.push(...this.waiting.splice(0, 1))
      for (const { reject } of together) reject(error)
    }
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
