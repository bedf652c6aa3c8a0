import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

/** The clock that paces bodies, advanced by the test only, so that a slow machine changes nothing. */
export interface PassingTime {
  pass(milliseconds: number): Promise<void>
  /** The system's time again. */
  end(): void
}

/** Begins such a time; servers that are to have it are made afterwards. */
export function passingTime(): PassingTime {
  let now = performance.now()
  const clock = mock.method(performance, 'now', () => now)
  const intervals = mock.method(globalThis, 'setInterval')
  return {
    async pass(milliseconds) {
      now += milliseconds
      for (const { arguments: called } of intervals.mock.calls) called[0]?.()
      // Sockets are read in between.
      await turn()
      await turn()
    },
    end() {
      clock.mock.restore()
      intervals.mock.restore()
    },
  }
}
