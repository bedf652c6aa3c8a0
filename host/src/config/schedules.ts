import type { Schedules } from '@signed-registry/core'

/** Reads `SCHEDULES`: `name=cron; name=cron`. */
export const schedulesOf = (text = ''): Schedules =>
  Object.fromEntries(
    text
      .split(';')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => entry.split('=').map((part) => part.trim())),
  )
