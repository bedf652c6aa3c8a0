export type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text that does not end the comment that it is in. */
export const inComment = (text: string): string => text.replaceAll('*/', '* /')

/** Names that a client has, or uses, for something else. */
const TAKEN = [
  ...['ErrorCode', 'OperationId', 'Operations', 'ROUTES', 'FILES', 'LISTS', 'Client', 'ClientOf', 'ClientOptions'],
  ...['RegistryProblem', 'UploadInput', 'Readonly', 'Record'],
]

/** Writes TypeScript types for schemas; those with a name once. */
export class SchemaTypes {
  readonly named = new Map<string, string>()
  private readonly names = new Map<string, string>()

  text(schema: unknown): string {
    if (!isObject(schema)) return 'unknown'
    const { $id } = schema
    if (typeof $id !== 'string') return this.shape(schema)
    const known = this.names.get($id)
    if (known !== undefined) return known
    const name = this.freeName($id)
    this.names.set($id, name)
    this.named.set(name, '')
    this.named.set(name, this.shape(schema))
    return name
  }

  /** A name for a type, which is that of the schema where it can be. */
  private freeName($id: string): string {
    const words = $id.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    const name = words.join('').replace(/^(?=\d|$)/, 'Schema')
    for (let n = 1; ; n++) {
      const free = n === 1 ? name : `${name}${n}`
      if (!this.named.has(free) && !TAKEN.includes(free)) return free
    }
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
      const comment =
        isObject(field) && typeof field.description === 'string' ? `/** ${inComment(field.description)} */ ` : ''
      return `${comment}readonly ${JSON.stringify(name)}${listOf(required).includes(name) ? '' : '?'}: ${this.text(field)}`
    })
    return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('\n')} }`
  }
}
