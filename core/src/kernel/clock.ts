import { token } from './token.js'

/** Tells the time; tests and embedders may replace it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number
}
export const Clock = token<Clock>('Clock')

export const systemClock: Clock = { now: () => Date.now() }
