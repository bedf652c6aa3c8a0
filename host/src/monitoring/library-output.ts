import { format } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'

const METHODS = ['log', 'info', 'warn', 'error'] as const

/** Makes log lines of what libraries say on the console, such as the warnings of mysql2; gives what puts the console back. */
export function logConsole(log: FastifyBaseLogger): () => void {
  const before = METHODS.map((method) => [method, console[method]] as const)
  for (const method of METHODS) console[method] = (...said) => log.warn({ from: 'console' }, format(...said))
  return () => {
    for (const [method, original] of before) console[method] = original
  }
}
