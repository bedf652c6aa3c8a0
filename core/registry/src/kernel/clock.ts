import { port } from './port.js'

/** Tells the time; tests and embedders may replace it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number
}
export const Clock = port<Clock>('Clock', 'defaulted')

export const systemClock: Clock = { now: () => Date.now() }
