import { hostname } from 'node:os'
import { format } from 'node:util'
import { type Logger, standardLogger } from '@signed-registry/core'
import type { FastifyBaseLogger } from 'fastify'
import { readableLog } from './readable-log.js'

/**
 * Logger settings that keep headers, bodies, queries and SQL values out of the log. Lines of a worker have its number, and are
 * short enough to stay whole between those of others.
 */
export function logger(level: string, stream?: { write(line: string): void }, worker?: number) {
  return {
    level,
    serializers: { err: (error: Error) => errorFacts(error) },
    ...(stream && { stream }),
    ...(worker !== undefined && {
      base: { pid: process.pid, hostname: hostname(), worker },
      hooks: { streamWrite: shortLine },
    }),
  }
}

/** The most bytes that Linux writes to a pipe at once, never mixed with those of other processes (PIPE_BUF). */
const MAX_LINE = 4096
const SHORTENED = 200

/** A line that is written to a pipe at once: of a longer one all texts are cut. */
export function shortLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE) return line
  const cut = (_name: string, value: unknown) => (typeof value === 'string' ? value.slice(0, SHORTENED) : value)
  const short = `${JSON.stringify(JSON.parse(line, cut))}\n`
  if (Buffer.byteLength(short) <= MAX_LINE) return short
  const { level, time, pid, hostname: name, worker, requestID, msg } = JSON.parse(short)
  return `${JSON.stringify({ level, time, pid, hostname: name, worker, requestID, msg, isCut: true })}\n`
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

const LINE_LEVELS = { info: 30, warn: 40, error: 50 } as const
/** The lowest level that is written, by the names of `LOG_LEVEL`. */
const LOWEST = new Map(['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((name, at) => [name, 10 * (at + 1)]))

/** Writes log lines like those of an application, in a process that has none. */
export const lineLogger =
  (lowest: string, out: (text: string) => void, isForPeople: boolean) =>
  (level: keyof typeof LINE_LEVELS, msg: string, facts: object = {}): void => {
    const value = LINE_LEVELS[level]
    if (value < (LOWEST.get(lowest) ?? Number.POSITIVE_INFINITY)) return
    const line = JSON.stringify({
      level: value,
      time: Date.now(),
      pid: process.pid,
      hostname: hostname(),
      ...facts,
      msg,
    })
    if (isForPeople) readableLog(out).write(line)
    else out(`${line}\n`)
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
