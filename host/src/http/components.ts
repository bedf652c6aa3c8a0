import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'

/** Gives handlers the TypeScript types of their TypeBox schemas. */
export interface TypeBox extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** A scope whose routes are described by TypeBox. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBox
>

/** A reference to a schema that has an `$id`, so that OpenAPI lists it once under `components`. */
export function ref<S extends TSchema>(schema: S) {
  return Type.Unsafe<Static<S>>({ $ref: `${idOf(schema)}#` })
}

/** Adds schemas to a scope, together with the schemas nested in them that have an `$id` of their own. */
export function addComponents(app: Pick<Api, 'addSchema' | 'getSchema'>, schemas: readonly TSchema[]): void {
  for (const schema of schemas) {
    const [id, found] = [idOf(schema), new Map<string, object>()]
    const body = separate(schema, id, found, app)
    for (const [name, part] of [...found, [id, body] as const]) if (!app.getSchema(name)) app.addSchema(part)
  }
}

/** Replaces every named part of a schema, and the schema itself if it is named, by a reference; the parts are added to the scope. */
export function component(app: Pick<Api, 'addSchema' | 'getSchema'>, schema: TSchema): object {
  const found = new Map<string, object>()
  const whole = separate(schema, undefined, found, app)
  for (const [name, part] of found) if (!app.getSchema(name)) app.addSchema(part)
  return Object(whole)
}

/** The schemas of a scope that a schema refers to, directly or not, by name. */
export function referred(app: Pick<Api, 'getSchemas'>, schema: unknown): Record<string, unknown> {
  const all = app.getSchemas()
  const found: Record<string, unknown> = {}
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const [name = ''] = '$ref' in node && typeof node.$ref === 'string' ? node.$ref.split('#', 1) : []
    if (name in all && !(name in found)) {
      found[name] = all[name]
      look(all[name])
    }
    for (const part of Object.values(node)) look(part)
  }
  look(schema)
  return found
}

/** Copies a schema with references in place of its named parts; those that the scope does not have are put into `found`. */
function separate(
  node: unknown,
  own: string | undefined,
  found: Map<string, object>,
  app: Pick<Api, 'getSchema'>,
): unknown {
  if (Array.isArray(node)) return node.map((item) => separate(item, undefined, found, app))
  if (typeof node !== 'object' || node === null) return node
  const id = '$id' in node && typeof node.$id === 'string' && node.$id !== own ? node.$id : undefined
  // What the scope has already came with its own parts.
  if (id !== undefined && (found.has(id) || app.getSchema(id) !== undefined)) return { $ref: `${id}#` }
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) copy[key] = separate(value, undefined, found, app)
  if (id === undefined) return copy
  found.set(id, copy)
  return { $ref: `${id}#` }
}

function idOf(schema: TSchema): string {
  if ('$id' in schema && typeof schema.$id === 'string') return schema.$id
  throw new TypeError('A component needs a schema with an $id')
}
