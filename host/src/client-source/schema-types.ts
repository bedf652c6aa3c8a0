export type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Writes TypeScript types for schemas; those with a name once. */
export class SchemaTypes {
  readonly named = new Map<string, string>()

  text(schema: unknown): string {
    if (!isObject(schema)) return 'unknown'
    const { $id } = schema
    if (typeof $id !== 'string') return this.shape(schema)
    if (!this.named.has($id)) {
      this.named.set($id, '')
      this.named.set($id, this.shape(schema))
    }
    return $id
  }

  private shape(schema: Json): string {
    const { type, properties, required, items, anyOf, oneOf, allOf, additionalProperties, patternProperties } = schema
    if ('const' in schema) return JSON.stringify(schema.const)
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    const union = listOf(anyOf ?? oneOf)
    if (union.length > 0) return union.map((one) => this.text(one)).join(' | ')
    if (listOf(allOf).length > 0)
      return listOf(allOf)
        .map((one) => `(${this.text(one)})`)
        .join(' & ')
    if (type === 'array') return `readonly (${this.text(items)})[]`
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'string' || type === 'boolean' || type === 'null') return type
    if (type !== 'object') return 'unknown'
    const values = isObject(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties
    if (!isObject(properties)) return `Readonly<Record<string, ${isObject(values) ? this.text(values) : 'unknown'}>>`
    const fields = Object.entries(properties).map(([name, field]) => {
      const comment = isObject(field) && typeof field.description === 'string' ? `/** ${field.description} */ ` : ''
      return `${comment}readonly ${JSON.stringify(name)}${listOf(required).includes(name) ? '' : '?'}: ${this.text(field)}`
    })
    return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('\n')} }`
  }
}
