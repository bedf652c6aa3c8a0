import { mock } from 'node:test'

/** The clock of the process, which goes on by itself, and further where a test says so. */
export interface ForwardTime {
  pass(milliseconds: number): void
  /** The system's time again. */
  end(): void
}

/** Begins such a time. */
export function forwardTime(): ForwardTime {
  const now = performance.now.bind(performance)
  let passed = 0
  const clock = mock.method(performance, 'now', () => now() + passed)
  return {
    pass(milliseconds) {
      passed += milliseconds
    },
    end: () => clock.mock.restore(),
  }
}
