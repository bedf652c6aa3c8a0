import { ConfigError } from '../config/config.js'

export { type Console, UsageError } from '@signed-registry/verifier/command'

/** A wrong configuration speaks for itself; anything else says what failed. */
export const failure = (what: string, error: unknown): Error =>
  error instanceof ConfigError ? error : new Error(`${what}: ${error instanceof Error ? error.message : error}`)
