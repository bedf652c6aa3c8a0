import Type, { type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { CallerSchema } from './identity/index.js'
import type { Composition, Identifier } from './kernel/compose.js'
import type { OperationSpec } from './kernel/operation.js'
import { requestErrors } from './kernel/request-errors.js'

interface Executes {
  execute(caller: unknown, input: unknown, ...more: unknown[]): unknown
}

/**
 * Operations that validate their calls by their schemas, as HTTP does before. They reject with `invalidJsonStructure` for an
 * invalid caller, body or upload, and with `invalidQueryParameter` for the rest; `details` say which `part` of the call is
 * invalid, where in it (`path`) and why (`problem`). Other parts are returned unchanged.
 */
export function checkedCalls({ get, operations }: Pick<Composition, 'get' | 'operations'>): Composition['get'] {
  const checks = new Map<unknown, Check>(operations.map((operation) => [operation.Class, checkOf(operation)]))
  function checked<T>(id: Identifier<T>): T {
    const part = get(id)
    const check = checks.get(id)
    return check === undefined || !executes(part) ? part : checkedOperation(part, check)
  }
  return checked
}

type Check = (caller: unknown, input: unknown) => void

const executes = (part: unknown): part is Executes => typeof part === 'object' && part !== null && 'execute' in part

function checkedOperation<T extends Executes>(part: T, check: Check): T {
  const execute = (caller: unknown, input: unknown, ...more: unknown[]) => {
    try {
      // An operation without a caller, such as the version, takes no input.
      if (part.execute.length > 0) check(caller, input)
    } catch (error) {
      return Promise.reject(error)
    }
    return part.execute(caller, input, ...more)
  }
  return new Proxy(part, { get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)) })
}

function checkOf({ params, query, request, upload }: OperationSpec): Check {
  let validators: ReturnType<typeof validatorsOf> | undefined
  return (caller, input) => {
    validators ??= validatorsOf({ caller: CallerSchema, params, query, body: request, upload: upload && UploadSchema })
    const given: Readonly<Record<string, unknown>> = { ...Object(input) }
    const parts = { caller, params: given, query: given.query ?? {}, body: given.request, upload: given.upload }
    for (const [name, validator] of validators) assertPart(name, validator, parts[name])
  }
}

type CallPart = 'caller' | 'params' | 'query' | 'body' | 'upload'

/** Streams are checked by whoever reads them. */
const UploadSchema = Type.Object({
  size: Type.Integer({ minimum: 0 }),
  stream: Type.Union([Type.Object({}), Type.Array(Type.Unknown())]),
})

function validatorsOf(schemas: { readonly [Part in CallPart]: TSchema | undefined }): readonly [CallPart, Validator][] {
  const parts = ['caller', 'params', 'query', 'body', 'upload'] as const
  return parts.flatMap((part) => {
    const schema = schemas[part]
    return schema === undefined ? [] : [[part, Compile(schema)] satisfies [CallPart, Validator]]
  })
}

function assertPart(part: CallPart, validator: Validator, value: unknown): void {
  if (validator.Check(value)) return
  const [wrong] = validator.Errors(value)
  const details = { part, path: wrong?.instancePath ?? '', problem: wrong?.message ?? '' }
  const code = part === 'params' || part === 'query' ? 'invalidQueryParameter' : 'invalidJsonStructure'
  throw requestErrors.error(code, details)
}
