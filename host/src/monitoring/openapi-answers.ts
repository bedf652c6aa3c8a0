import { readFileSync } from 'node:fs'
import type { RegisteredOperation } from '@signed-registry/core'
import { statusOfKind } from '../error-status.js'

interface Described {
  operationId?: string
  requestBody?: unknown
  responses?: Record<string, unknown>
}

/** Requests and answers of the operations, recorded by a test. */
const EXAMPLES = new URL('../../openapi-examples.json', import.meta.url)

/** Adds examples and refusals to each operation of an OpenAPI document. */
export function describeAnswers(
  paths: Readonly<Record<string, object | undefined>>,
  operations: readonly RegisteredOperation[],
): void {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8'))
  const registered = new Map(operations.map((operation) => [operation.id, operation]))
  for (const described of Object.values(paths).flatMap((path = {}) => Object.values(path) as Described[])) {
    const { operationId = '', requestBody, responses = {} } = described
    const example = examples[operationId]
    addExample(requestBody, example?.request)
    addExample(responses['200'], example?.answer)
    const codes = new Map<string, string[]>()
    for (const [status, code] of refusalsOf(registered.get(operationId)))
      codes.set(status, [...(codes.get(status) ?? []), `\`${code}\``])
    for (const [status, some] of codes)
      responses[status] = { ...Object(responses['4XX']), description: [...new Set(some)].sort().join(', ') }
  }
}

/** Status and code of each refusal: those of every operation, of every one with a body, and those that the operation names. */
function* refusalsOf(operation: RegisteredOperation | undefined): Generator<readonly [string, string]> {
  if (operation === undefined) return
  const { request, upload, form, stream, refusals } = operation
  yield ['429', 'rateLimitReached']
  for (const code of CERTIFICATE_REFUSALS) yield ['401', code]
  if (request || upload || form || stream) yield* BODY_REFUSALS
  if (upload || form) yield ['400', 'contentLengthNotSet']
  if (request) yield* JSON_REFUSALS
  for (const { code, kind } of refusals) yield [String(statusOfKind[kind]), code]
}
/** Also where every origin may call: systems call these operations, too. */
const CERTIFICATE_REFUSALS = ['tlsCertificateDisabled', 'tlsCertificateNotListed', 'tlsCertificatePending']
const BODY_REFUSALS = [
  ['413', 'bodyTooLarge'],
  ['415', 'unsupportedMediaType'],
] as const
const JSON_REFUSALS = [
  ['400', 'jsonNotParsed'],
  ['413', 'tooManyJsonValues'],
] as const

/** Adds an example next to the schema of JSON. */
function addExample(body: unknown, example: unknown): void {
  const { content } = Object(body)
  if (example !== undefined && content?.['application/json']) content['application/json'].example = example
}
