import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from './config.js'

/** Documents, addresses and keys are nobody else's business on this machine. */
const MODE = 0o700

/** Makes the folder that a variable names, unless it is there; throws a `ConfigError` where nothing can be written. */
export function useFolder(variable: string, folder: string): void {
  try {
    makeFolder(folder)
    // With the slash a file is refused.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ConfigError([`${variable}: cannot be used: ${cause instanceof Error ? cause.message : cause}`], { cause })
  }
}

/** One by one from above: `mkdirSync` with `recursive` never ends below `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: MODE })
  } catch (error) {
    // Another host may have made it just now.
    if (!existsSync(folder)) throw error
  }
}
