import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Documents, addresses and keys must not be readable by other users of this machine. */
const MODE = 0o700

/** Creates the folder that a variable names, unless it exists; answers why it cannot be used, if so. */
export function useFolder(variable: string, folder: string): string | undefined {
  try {
    makeFolder(folder)
    // The trailing slash makes this fail for a file.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `${variable}: cannot be used: ${error instanceof Error ? error.message : error}`
  }
}

/** One by one from the top: `mkdirSync` with `recursive` never returns below `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: MODE })
  } catch (error) {
    // Another host may have created it just now.
    if (!existsSync(folder)) throw error
  }
}
