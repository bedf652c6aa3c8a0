import { readFileSync } from 'node:fs'
import { readOf } from './unreadable.js'

/** The statement key in a file: as text, or as `GET /api/statementKey` answers it. */
export function readKey(file: string): string {
  const text = readOf(file, () => readFileSync(file, 'utf8')).trim()
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null && 'verifierKey' in answer) return String(answer.verifierKey)
  } catch {
    // Not JSON: the key itself.
  }
  return text
}
