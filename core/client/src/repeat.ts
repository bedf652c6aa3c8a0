import { RegistryProblem } from './problem.js'
import { RegistryUnavailable } from './unavailable.js'

const FIRST_PAUSE_MS = 500
/** Who is asked to wait longer decides by himself. */
const MAX_PAUSE_MS = 30_000
/** A server that is busy, restarts or is limiting, and what proxies say of one. */
const MAY_PASS = new Set([429, 502, 503, 504])

/** Does something again after faults that may pass, at most so many times; waits as long as the registry says. */
export async function repeat<T>(times: number, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let done = 0; ; done += 1) {
    try {
      return await work()
    } catch (error) {
      const pause = pauseAfter(error, done)
      if (done >= times || pause === undefined || pause > MAX_PAUSE_MS) throw error
      await wait(pause, signal)
    }
  }
}

/** Milliseconds to wait after a fault; `undefined` where it would not pass. */
function pauseAfter(error: unknown, done: number): number | undefined {
  // Half of it by chance, so that many clients do not come back together.
  const pause = FIRST_PAUSE_MS * 2 ** done * (0.5 + Math.random() / 2)
  if (error instanceof RegistryUnavailable) return error.reason === 'notARegistry' ? undefined : pause
  if (!(error instanceof RegistryProblem) || !MAY_PASS.has(error.status)) return undefined
  return error.retryAfter === undefined ? pause : error.retryAfter * 1000
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
