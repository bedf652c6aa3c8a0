import { EXAMPLES } from './examples.js'
import { REFUSALS, type Refusals } from './refusals.js'

interface Described {
  operationId?: string
  requestBody?: unknown
  responses?: Record<string, unknown>
}

/** What any operation may be refused with, and any that takes a body. */
const OF_ALL: Refusals = { '429': ['rateLimitReached'] }
const OF_BODIES: Refusals = { '413': ['bodyTooLarge'], '415': ['unsupportedMediaType'] }

/** Adds to each operation of an OpenAPI document what a journey said and was answered, and how it may be refused. */
export function describeAnswers(paths: Readonly<Record<string, object | undefined>>): void {
  for (const operation of Object.values(paths).flatMap((path = {}) => Object.values(path) as Described[])) {
    const { operationId = '', requestBody, responses = {} } = operation
    const example = EXAMPLES[operationId]
    addExample(requestBody, example?.request)
    addExample(responses['200'], example?.answer)
    const refusals = [OF_ALL, requestBody === undefined ? {} : OF_BODIES, REFUSALS[operationId] ?? {}]
    for (const [status, codes] of refusals.flatMap((some) => Object.entries(some))) {
      const known = Object(responses[status]).description?.split(', ') ?? []
      const description = [...known, ...codes.map((code) => `\`${code}\``)].sort().join(', ')
      responses[status] = { ...Object(responses['4XX']), description }
    }
  }
}

/** Puts an example beside the schema of JSON. */
function addExample(body: unknown, example: unknown): void {
  const { content } = Object(body)
  if (example !== undefined && content?.['application/json']) content['application/json'].example = example
}
