/** A moment (ms) in UTC, with seconds and the offset: `2026-11-22T21:48:05+00:00`. */
export const utc = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, '+00:00')
