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
