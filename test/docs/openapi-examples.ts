import { fileURLToPath } from 'node:url'
import { everyOperation } from '../journeys/every-operation.js'
import { exampleValues } from './example-values.js'

/** The JSON request and answer of each operation, as OpenAPI examples. */
export const EXAMPLES_FILE = fileURLToPath(new URL('../../host/openapi-examples.json', import.meta.url))

const MAX_TEXT = 72
const MAX_KEYS = 30
const MAX_ITEMS = 2

/** Shortens long texts, such as signatures, with `…`, and long lists to their beginning. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const shown = entries.slice(0, entries.length > MAX_KEYS ? MAX_ITEMS : MAX_KEYS)
  return Object.fromEntries(shown.map(([key, part]) => [key, shortened(part)]))
}

/** The last request and answer of each operation in `every-operation.ts`, the same in every run. */
export async function examples(): Promise<Record<string, unknown>> {
  const { start, exchanges } = await everyOperation()
  const last = Object.fromEntries(exchanges.map(({ operation, ...exchange }) => [operation, exchange]))
  const fixed: Record<string, unknown> = Object(exampleValues(last, start))
  return Object.fromEntries(Object.entries(fixed).map(([operation, exchange]) => [operation, shortened(exchange)]))
}
