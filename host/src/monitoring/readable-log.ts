import { inspect } from 'node:util'
import type { LogFacts, Logger } from '@signed-registry/core'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: '\u001b[33mwarn\u001b[39m',
  50: '\u001b[31merror\u001b[39m',
  60: '\u001b[31mfatal\u001b[39m',
}

/** Formats JSON log lines for a person at a terminal. */
export const readableLog = (write: (text: string) => void) => ({
  write(line: string) {
    write(`${readable(JSON.parse(line))}\n`)
  },
})

const WARN = 40
const ERROR = 50

/** The same for messages before the host has a log; `info` is left out, as in `standardLogger`. */
export function readableLogger(write: (text: string) => void): Logger {
  const at =
    (level: number) =>
    (msg: string, { error: err, ...facts }: LogFacts = {}) =>
      write(`${readable({ ...facts, level, time: Date.now(), msg, err })}\n`)
  return { info: () => undefined, warn: at(WARN), error: at(ERROR) }
}

function readable(entry: Readonly<Record<string, unknown>>): string {
  const { level, time, msg, pid: _pid, hostname: _hostname, err, ...facts } = entry
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const name = LEVELS[Number(level)] ?? String(level)
  if (msg === 'request') {
    const { method, path, status, ms, code, requestID } = facts
    return `${at} ${name} ${method} ${path} ${status} ${ms} ms${code === undefined ? '' : ` ${code} ${requestID}`}`
  }
  const rest = Object.entries(facts).map(([key, value]) => ` ${key}=${oneLine(value)}`)
  const failure = typeof err === 'object' && err !== null && 'message' in err ? `\n  ${err.message}${stackOf(err)}` : ''
  return `${at} ${name} ${msg}${rest.join('')}${failure}`
}

const oneLine = (value: unknown) => (typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }))
const stackOf = (error: object) => ('stack' in error && error.stack ? `\n${error.stack}` : '')
