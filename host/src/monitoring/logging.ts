import { format } from 'node:util'
import { type Logger, standardLogger } from '@signed-registry/core'
import type { FastifyBaseLogger } from 'fastify'

/** Logger settings that keep headers, bodies, queries and SQL values out of the log. */
export function logger(level: string, stream?: { write(line: string): void }) {
  return { level, serializers: { err: (error: Error) => errorFacts(error) }, ...(stream && { stream }) }
}

/** Passes the registry's warnings and errors to the log of the application, once there is one. */
export function registryLogger(log: () => FastifyBaseLogger | undefined, early: Logger = standardLogger): Logger {
  const at =
    (level: 'info' | 'warn' | 'error'): Logger[typeof level] =>
    (message, facts = {}) => {
      const { error, ...rest } = facts
      const target = log()
      if (target === undefined) early[level](message, facts)
      else target[level]({ ...rest, ...(error !== undefined && { err: error }) }, message)
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

const METHODS = ['log', 'info', 'warn', 'error'] as const

/** Turns console output of libraries, such as warnings of mysql2, into log lines; the returned function undoes it. */
export function logConsole(log: FastifyBaseLogger): () => void {
  const before = METHODS.map((method) => [method, console[method]] as const)
  for (const method of METHODS) console[method] = (...said) => log.warn({ from: 'console' }, format(...said))
  return () => {
    for (const [method, original] of before) console[method] = original
  }
}

const MAX_MESSAGE = 500
const MAX_CAUSES = 5

/** The facts of an error that are logged. */
interface ErrorFacts {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorFacts
  [key: string]: unknown
}

/** Drivers attach whole statements with their values to errors, so only these facts are logged. */
function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, MAX_MESSAGE), stack: '' }
  const facts: ErrorFacts = {
    type: error.name,
    message: error.message.slice(0, MAX_MESSAGE),
    stack: (error.stack ?? '').replace(error.message, '').split('\n').slice(1, 12).join('\n'),
  }
  if ('code' in error) facts.code = error.code
  if (error.cause !== undefined && depth < MAX_CAUSES) facts.cause = errorFacts(error.cause, depth + 1)
  return facts
}
