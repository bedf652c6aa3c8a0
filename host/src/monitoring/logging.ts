import { format } from 'node:util'
import { type Logger, standardLogger } from '@signed-registry/core'
import type { FastifyBaseLogger } from 'fastify'

/** Logger settings that let no header, body, query or SQL value into the log. */
export function logger(level: string, stream?: { write(line: string): void }) {
  return { level, serializers: { err: (error: Error) => errorFacts(error) }, ...(stream && { stream }) }
}

/** A registry's warnings and errors in the log of an application, once there is one. */
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

/** Makes log lines of what libraries say on the console, such as the warnings of mysql2; gives what puts the console back. */
export function logConsole(log: FastifyBaseLogger): () => void {
  const before = METHODS.map((method) => [method, console[method]] as const)
  for (const method of METHODS) console[method] = (...said) => log.warn({ from: 'console' }, format(...said))
  return () => {
    for (const [method, original] of before) console[method] = original
  }
}

const MAX_MESSAGE = 500
const MAX_CAUSES = 5

/** What the log keeps of an error. */
interface ErrorFacts {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorFacts
  [key: string]: unknown
}

/** Drivers hang whole statements with their values on errors, so only these facts are taken. */
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
