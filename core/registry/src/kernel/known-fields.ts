import type { Static, TSchema } from 'typebox'

/** Copies the fields of a validated value that its schema declares, so that fields which are ignored are not stored. */
export const knownFields = <S extends TSchema>(schema: S, value: Static<S>): Static<S> =>
  known(schema, value) as Static<S>

function known(schema: object, value: unknown): unknown {
  if (Array.isArray(value)) {
    const inside = itemsOf(schema)
    return value.map((item) => (inside === undefined ? structuredClone(item) : known(inside, item)))
  }
  if (typeof value !== 'object' || value === null) return value
  if (!('properties' in schema)) return structuredClone(value)
  const copy: Record<string, unknown> = {}
  for (const [name, inside] of Object.entries(Object(schema.properties))) {
    const field: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    if (field !== undefined) copy[name] = known(Object(inside), field)
  }
  return copy
}

/** The path of the first field of a value that its schema does not declare. */
export function unknownField(schema: object, value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const inside = itemsOf(schema)
    if (inside === undefined) return undefined
    for (const [at, item] of value.entries()) {
      const field = unknownField(inside, item)
      if (field !== undefined) return `${at}.${field}`
    }
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('properties' in schema)) return undefined
  const known = new Map(Object.entries(Object(schema.properties)))
  for (const [name, inside] of Object.entries(value)) {
    if (!known.has(name)) return name
    const field = unknownField(Object(known.get(name)), inside)
    if (field !== undefined) return `${name}.${field}`
  }
  return undefined
}

/** The schema of the elements of a list, if it has one. */
const itemsOf = (schema: object): object | undefined =>
  'items' in schema && typeof schema.items === 'object' && schema.items !== null ? schema.items : undefined
