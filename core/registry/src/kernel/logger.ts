import { port } from './port.js'

/** Writes the log. Facts are plain values, never secrets. */
export interface Logger {
  info(message: string, facts?: LogFacts): void
  warn(message: string, facts?: LogFacts): void
  /** `facts.error` may be any thrown value. */
  error(message: string, facts?: LogFacts): void
}
export type LogFacts = Readonly<Record<string, unknown>>
export const Logger = port<Logger>('Logger', 'defaulted')

/** Warnings and errors on the standard error stream, one JSON object a line; information is left out. */
export const standardLogger: Logger = {
  info: () => undefined,
  warn: (message, facts) => write('warn', message, facts),
  error: (message, facts) => write('error', message, facts),
}

function write(level: string, message: string, facts: LogFacts = {}): void {
  const { error, ...rest } = facts
  const problem =
    error === undefined ? {} : { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  process.stderr.write(`${JSON.stringify({ level, time: Date.now(), message, ...rest, ...problem })}\n`)
}
