import { ConfigError } from '../config/config.js'

/** Where a command takes its environment from and writes to. */
export interface Console {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
}

/** A command that cannot be understood; its message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A wrong configuration speaks for itself; anything else says what failed. */
export const failure = (what: string, error: unknown): Error =>
  error instanceof ConfigError ? error : new Error(`${what}: ${error instanceof Error ? error.message : error}`)
