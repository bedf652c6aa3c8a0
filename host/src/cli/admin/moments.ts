/** A moment as people and programs read it: ISO 8601, UTC. */
export const moment = (time: number): string => new Date(time).toISOString()

/** The day of a moment, UTC. */
export const day = (time: number): string => moment(time).slice(0, 10)

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long ago a moment was, and when. */
export function ago(time: number): string {
  const passed = Math.max(0, Date.now() - time)
  const [unit, ms] = UNITS.find(([, length]) => passed >= length) ?? ['second', 1000]
  const count = Math.floor(passed / ms)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago (${moment(time)})`
}
