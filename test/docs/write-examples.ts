import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { everyOperation } from '../journeys/every-operation.js'

// npm run examples: writes what a journey said and was answered as the examples of OpenAPI.
const FILE = fileURLToPath(new URL('../../host/src/monitoring/examples.ts', import.meta.url))
const LONGEST_TEXT = 72
const MOST_KEYS = 30
const MOST_ITEMS = 2

/** Long texts, such as signatures, end in `…`; of long lists and tables the beginning stands for all. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT - 1)}…` : value
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const shown = entries.slice(0, entries.length > MOST_KEYS ? MOST_ITEMS : MOST_KEYS)
  return Object.fromEntries(shown.map(([key, part]) => [key, shortened(part)]))
}

const examples: Record<string, object> = {}
for (const { operation, ...exchange } of await everyOperation()) examples[operation] = Object(shortened(exchange))
const source = `// Made by "npm run examples" of a journey (test/journeys/every-operation.ts): change that.

/** What each operation was sent as JSON and answered; long texts end in \`…\`. */
export const EXAMPLES: Readonly<Record<string, { readonly request?: unknown; readonly answer: unknown }>> =
`
writeFileSync(FILE, `${source}${JSON.stringify(examples)}\n`)
