import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Check, Finding } from '@signed-registry/core'
import { freeBytes } from './room.js'

/** Looks at the folder of originals. A host that cannot read it would say that they are gone, so it gets no requests. */
export const checkFolder = (folder: string, reserve: number): Check => ({
  name: 'archive',
  isRequired: true,
  async check(): Promise<Finding> {
    try {
      // The trailing slash makes this fail for a file.
      await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        return {
          state: 'warn',
          text: `there is no ${folder} yet: the first original makes it, unless a disk has to be mounted there`,
        }
      const why = error instanceof Error ? error.message : String(error)
      return {
        state: 'fail',
        text: `originals cannot be read or written: ${why}; give the user of the host all rights to ${folder}`,
      }
    }
    const free = await freeBytes(folder)
    const room = `${Math.floor(free / 2 ** 20)} MiB are free at ${folder}`
    if (free >= reserve) return { state: 'ok', text: room }
    return { state: 'warn', text: `${room}, below the reserve: no original is taken until there is more room` }
  },
})
