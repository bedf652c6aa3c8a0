import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from './config.js'

/** Documents, addresses and keys must not be readable by other users of this machine. */
const MODE = 0o700

/** Creates the folder that a variable names, unless it exists; throws a `ConfigError` when it is not writable. */
export function useFolder(variable: string, folder: string): void {
  try {
    makeFolder(folder)
    // The trailing slash makes this fail for a file.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ConfigError([`${variable}: cannot be used: ${cause instanceof Error ? cause.message : cause}`], { cause })
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
