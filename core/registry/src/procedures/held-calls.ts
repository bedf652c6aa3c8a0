import { port } from '../kernel/port.js'

/**
 * What a held call waits for: `data`, for the app to take the caller's data; `result`, for what the app returns; `watch`, for
 * any change. A procedure has one call of `data` and one of `result`, the latest.
 */
export type HeldSide = 'data' | 'result' | 'watch'

/** A call whose connection is held open. */
export interface HeldCall {
  /**
   * Resolves with true when the procedure may have changed or `ms` have passed, and with false as soon as a later call has
   * replaced this one. Rejects when the signal is aborted.
   */
  next(ms: number, signal?: AbortSignal): Promise<boolean>
  end(): Promise<void>
}

/**
 * Connects callers and the app across hosts. Procedures and bodies are in the database; this only tracks who waits and wakes
 * them. A plugin may replace it by a broker such as Redis or NATS (docs/mobile-signing.md).
 */
export interface HeldCalls {
  begin(procedureId: string, side: HeldSide): Promise<HeldCall>
  /** Wakes every call about a procedure, on all hosts; in a transaction, after its commit. */
  wake(procedureId: string): void
}
export const HeldCalls = port<HeldCalls>('HeldCalls', 'defaulted')
