import { createRequire } from 'node:module'
import type { Ajv, ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { referred } from './components.js'

const require = createRequire(import.meta.url)
// What is not installed ends a start, although nothing of it is loaded then.
const [ajv, fastJsonStringify] = [require.resolve('ajv'), require.resolve('fast-json-stringify')]

/** What compiles schemas is loaded when a request or an answer needs it first: its hundred files are a tenth of a start. */
const compilers = {
  ajv: (): typeof import('ajv') => require(ajv),
  fastJsonStringify: (): typeof import('fast-json-stringify') => require(fastJsonStringify),
}

const none = (): never => {
  throw new TypeError(
    'A route outside of the API has a schema to compile: its scope needs validateRequests or serializeAnswers',
  )
}

/** In place of what Fastify would load for scopes that bring no compilers of their own. */
export const noCompilers = { compilersFactory: { buildValidator: none, buildSerializer: none } }

/** Says whether a value fits; what does not is in `errors` then, where Fastify looks for it. */
interface Check {
  (value: unknown): boolean
  errors?: NonNullable<ValidateFunction['errors']> | null
}

/**
 * Checks bodies exactly as they came, and reads numbers and booleans out of the text of addresses. Unknown fields are ignored.
 * Schemas are compiled at their first use: a start does not wait for some hundred of them.
 * A number is finite and at most 2^53-1, whatever its schema says: beyond, JSON and databases keep another one.
 */
export function validateRequests(app: FastifyInstance): void {
  let validators: { exact: Ajv; coercing: Ajv } | undefined
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined
    const check: Check = (value) => {
      validators ??= { exact: validator(app, false), coercing: validator(app, true) }
      validate ??= (httpPart === 'body' ? validators.exact : validators.coercing).compile(Object(bounded(schema)))
      const isGood = validate(value)
      check.errors = validate.errors ?? null
      return isGood
    }
    return check
  })
}

function validator(app: FastifyInstance, coerceTypes: boolean): Ajv {
  const { Ajv } = compilers.ajv()
  const ajv = new Ajv({
    ...{ coerceTypes, strict: false, strictNumbers: true, validateFormats: false, addUsedSchema: false },
    // They are ours: to look whether they are schemas takes longer than to compile them.
    ...{ meta: false, validateSchema: false },
  })
  for (const schema of Object.values(app.getSchemas())) ajv.addSchema(Object(bounded(schema)))
  return ajv
}

/** A copy of a schema in which every number has bounds. */
function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = bounded(value)
  if (copy.type !== 'integer' && copy.type !== 'number') return copy
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...copy }
}

type Serialize = (answer: unknown) => string

/**
 * Writes answers as their schemas say, those of this scope. A serializer is made when the first answer needs it, and once for all
 * routes that answer the same: all of them together would take longer than the rest of a start.
 */
export function serializeAnswers(app: FastifyInstance): void {
  const ofComponents = new Map<string, Serialize>()
  app.setSerializerCompiler(({ schema }: { schema: unknown }) => {
    const make = (): Serialize =>
      compilers.fastJsonStringify()(Object(schema), { schema: Object(referred(app, schema)) })
    const { $ref: component } = Object(schema)
    let serialize: Serialize | undefined
    return (answer: unknown) => {
      serialize ??= typeof component === 'string' ? shared(ofComponents, component, make) : make()
      return serialize(answer)
    }
  })
}

function shared(serializers: Map<string, Serialize>, component: string, make: () => Serialize): Serialize {
  const serialize = serializers.get(component) ?? make()
  serializers.set(component, serialize)
  return serialize
}
