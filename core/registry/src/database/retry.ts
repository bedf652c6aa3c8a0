import { setTimeout as pause } from 'node:timers/promises'
import { isRetryable } from './dialect.js'

/** Work that loses for so long is given up: a lost race may take as long as the database waits for a lock. */
const BUDGET_MS = 5000
const PAUSE_MS = 5
const DOUBLINGS = 6

/** Runs database work again, after a growing pause, each time it loses a race with another host, for five seconds in all. */
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
