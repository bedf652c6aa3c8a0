import { port } from '../kernel/port.js'

/**
 * What a held call waits for: `data`, for the app to come and take the caller's data; `result`, for what the app returns;
 * `watch`, for any change. Of `data` and of `result` there is one for a procedure, the last that came.
 */
export type HeldSide = 'data' | 'result' | 'watch'

/** A call that is held: its connection stays open, and costs no thread. */
export interface HeldCall {
  /**
   * Resolves when the procedure may have changed, or when so many milliseconds have passed, with true; with false as soon
   * as a later call has taken the place of this one. Rejects when the signal is aborted.
   */
  next(ms: number, signal?: AbortSignal): Promise<boolean>
  end(): Promise<void>
}

/**
 * Brings together callers and the app, whichever hosts their connections lead to. Procedures and what passes stand in the
 * database; this only says who waits, and wakes them. A broker (Redis, NATS) takes its place in a plugin (docs/mobile-signing.md).
 */
export interface HeldCalls {
  begin(procedureId: string, side: HeldSide): Promise<HeldCall>
  /** Lets every call about a procedure look at it again, on all hosts; after the commit, where there is a transaction. */
  wake(procedureId: string): void
}
export const HeldCalls = port<HeldCalls>('HeldCalls', 'defaulted')
