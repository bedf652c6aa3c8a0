import { ConfigError } from '../config/config.js'

export { type Console, UsageError } from '@signed-registry/verifier/command'

/** A configuration error explains itself; anything else is printed with what failed. */
export const failure = (what: string, error: unknown): Error =>
  error instanceof ConfigError ? error : new Error(`${what}: ${error instanceof Error ? error.message : error}`)
