/** Words about a schema of docs/openapi.json; `schemas` is the way to the page of shared schemas. */
export function typeText(schema, schemas) {
  const { $ref, enum: values, anyOf, items, properties, additionalProperties, type, format } = schema
  if ($ref !== undefined) return `[${nameOf($ref)}](${schemas}#${nameOf($ref).toLowerCase()})`
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (anyOf !== undefined) return anyOf.map((one) => typeText(one, schemas)).join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeText(items, schemas)}`
  if (isMap(schema)) return `object of ${typeText(additionalProperties, schemas)} by name`
  if (type === 'object' || properties !== undefined) return 'object'
  return [type === undefined ? 'anything' : type, format === 'binary' ? 'of bytes' : ''].filter(Boolean).join(' ')
}

/** A table of the fields of an object, with those of objects inside; empty for what has no fields. */
export function fieldTable(schema, schemas) {
  const rows = fields(schema, '', schemas)
  if (rows.length === 0) return ''
  return table(['Field', 'Type', 'What it is'], rows)
}

/** A table in Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => plain(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}

/** Text in Markdown that is no HTML. */
export function plain(text) {
  return text.replaceAll('\n', ' ').replaceAll('<', '&lt;')
}

function fields(schema, before, schemas) {
  if (schema.type === 'array' && schema.items !== undefined) return fields(schema.items, `${before}[]`, schemas)
  if (isMap(schema)) return fields(schema.additionalProperties, `${before}.*`, schemas)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => fields(one, before, schemas))
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = before === '' ? name : `${before}.${name}`
    const isRequired = schema.required?.includes(name) === true
    const about = [field.description, ...limits(field), isRequired ? '' : 'optional'].filter(Boolean).join('; ')
    return [[`\`${path}\``, typeText(field, schemas), about], ...fields(field, path, schemas)]
  })
}

function limits(schema) {
  const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties, minimum, maximum } = schema
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minProperties, maxProperties, 'names'),
    range(minimum, maximum, ''),
    schema.pattern === undefined ? '' : `as \`${schema.pattern}\``,
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\` unless given`,
  ]
}

function range(least, most, what) {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `at most ${most} ${what}`.trim()
  if (most === undefined) return `at least ${least} ${what}`.trim()
  return `${least} to ${most} ${what}`.trim()
}

function isMap({ additionalProperties }) {
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
}

function nameOf(ref) {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
