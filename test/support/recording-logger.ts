import type { LogFacts, Logger } from '@signed-registry/core'

/** A logger that keeps warnings and errors. */
export class RecordingLogger implements Logger {
  readonly said: { readonly level: 'warn' | 'error'; readonly message: string; readonly facts: LogFacts }[] = []

  info(): void {
    // Not looked at.
  }

  warn(message: string, facts: LogFacts = {}): void {
    this.said.push({ level: 'warn', message, facts })
  }

  error(message: string, facts: LogFacts = {}): void {
    this.said.push({ level: 'error', message, facts })
  }

  /** The facts of what was said in words like these. */
  about(words: RegExp): LogFacts[] {
    return this.said.filter(({ message }) => words.test(message)).map(({ facts }) => facts)
  }
}
