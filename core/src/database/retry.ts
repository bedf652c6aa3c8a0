import { setTimeout as pause } from 'node:timers/promises'
import { isRetryable } from './dialect.js'

const ATTEMPTS = 30
const PAUSE_MS = 5
const DOUBLINGS = 6

/** Runs database work again, after a growing pause, each time it loses a race with another host (about 5 seconds in all). */
export async function retryLost<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error
      await pause(Math.random() * PAUSE_MS * 2 ** Math.min(attempt, DOUBLINGS))
    }
  }
}
