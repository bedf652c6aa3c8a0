import { createRequire } from 'node:module'
import type { Ajv, ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { referred } from './components.js'

const require = createRequire(import.meta.url)
// Resolved at startup, so that a missing package fails there although it is loaded later.
const [ajv, fastJsonStringify] = [require.resolve('ajv'), require.resolve('fast-json-stringify')]

/** The schema compiler is loaded at its first use: its hundred files would be a tenth of the startup time. */
const compilers = {
  ajv: (): typeof import('ajv') => require(ajv),
  fastJsonStringify: (): typeof import('fast-json-stringify') => require(fastJsonStringify),
}

const none = (): never => {
  throw new TypeError(
    'A route outside of the API has a schema to compile: its scope needs validateRequests or serializeAnswers',
  )
}

/** Replaces the compilers that Fastify would load for scopes without their own. */
export const noCompilers = { compilersFactory: { buildValidator: none, buildSerializer: none } }

/** Answers whether a value is valid; Fastify looks for the reasons in `errors`. */
interface Check {
  (value: unknown): boolean
  errors?: NonNullable<ValidateFunction['errors']> | null
}

/**
 * Validates bodies without coercion, and coerces numbers and booleans of parameters and queries. Unknown fields are ignored.
 * Schemas are compiled at their first use, which keeps some hundred of them out of startup. Numbers are finite and at most
 * 2^53-1, whatever their schema says: JSON and databases would round larger ones.
 */
export function validateRequests(app: FastifyInstance): void {
  const [exact, coercing] = [schemaCompiler(app, false), schemaCompiler(app, true)]
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined
    const check: Check = (value) => {
      validate ??= httpPart === 'body' ? exact(schema) : coercing(schema)
      const isGood = validate(value)
      check.errors = validate.errors ?? null
      return isGood
    }
    return check
  })
}

/** Compiles schemas; Ajv is made for the first one, and given what they refer to, since it reads all that it is given. */
function schemaCompiler(app: FastifyInstance, coerceTypes: boolean): (schema: unknown) => ValidateFunction {
  let ajv: Ajv | undefined
  const given = new Set<string>()
  return (schema) => {
    ajv ??= newAjv(coerceTypes)
    for (const [name, part] of Object.entries(referred(app, schema))) {
      if (!given.has(name)) ajv.addSchema(Object(bounded(part)))
      given.add(name)
    }
    return ajv.compile(Object(bounded(schema)))
  }
}

/** The schemas are our own: checking them would take longer than compiling them. */
const OWN_SCHEMAS = { meta: false, validateSchema: false } as const

function newAjv(coerceTypes: boolean): Ajv {
  const { Ajv } = compilers.ajv()
  return new Ajv({
    ...{ coerceTypes, strict: false, strictNumbers: true, validateFormats: false, addUsedSchema: false },
    ...OWN_SCHEMAS,
  })
}

/** Copies a schema and bounds every number in it. */
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
 * Serializes the answers of this scope by their schemas. A serializer is compiled at its first use, once for all routes with the
 * same answer: compiling all of them would take longer than the rest of startup.
 */
export function serializeAnswers(app: FastifyInstance): void {
  const ofComponents = new Map<string, Serialize>()
  app.setSerializerCompiler(({ schema }: { schema: unknown }) => {
    const make = (): Serialize =>
      compilers.fastJsonStringify()(Object(schema), { schema: Object(referred(app, schema)), ajv: OWN_SCHEMAS })
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
