import type { Clock } from '@signed-registry/core'

/** How many times as fast it is. */
export const TIMES = 300

/** A clock 300 times as fast as the system's, shared by several processes through its start time. */
export const fastClock = (beginning: number): Clock => ({
  now: () => Math.floor(beginning + (Date.now() - beginning) * TIMES),
})
