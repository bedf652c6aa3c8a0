import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RegisteredOperation } from '@signed-registry/core'

import type { TSchema } from 'typebox'
import { coreAreas } from '#core/core-areas.js'
import { routes } from '../support/routes.js'

export const CLIENT_FILE = join(fileURLToPath(new URL('../../', import.meta.url)), 'core/client/src/operations.ts')

/** What a list is read on by: the query, and the field of its last item that goes into it. */
const CURSORS = { until: ['storedAt', 'timeStamp'], lastSignId: ['signId'], lastEventId: ['eventId'] } as const

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Writes TypeScript types for schemas; those with a name once. */
class Types {
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

/** The app has its own protocol; held calls stream bytes of any size, to addresses that are used as given. */
const ofPhones = ({ id, stream }: RegisteredOperation): boolean =>
  stream === true || ['getRawResult', 'describeToApp', 'giveToApp'].includes(id)

/** The source of the client's operations: made of the operations themselves, and of the table of routes. */
export function clientSource(): string {
  const types = new Types()
  const operations: string[] = []
  const addresses: string[] = []
  const lists: string[] = []
  const files: string[] = []
  for (const { method, path, operation, isAlias } of routes) {
    if (isAlias || ofPhones(operation)) continue
    const { id, summary, params, query, request, form, upload, answer } = operation
    const input = [
      ...Object.entries(params?.properties ?? {}).map(([name, schema]) => `readonly ${name}: ${types.text(schema)}`),
      ...(query ? [`readonly query${listOf(query.required).length > 0 ? '' : '?'}: ${types.text(query)}`] : []),
      ...(request ? [`readonly request: ${types.text(request)}`] : []),
      ...(upload ? ['readonly upload: UploadInput'] : form ? ['readonly upload?: UploadInput'] : []),
    ]
    const shape = input.length === 0 ? 'Record<never, never>' : `{ ${input.join('\n')} }`
    operations.push(
      `/** ${summary} */ readonly ${id}: { readonly input: ${shape}\nreadonly answer: ${types.text(answer)} }`,
    )
    addresses.push(`${id}: { method: '${method}', path: '${path}' }`)
    const file = fileOf(operation)
    if (file !== undefined) files.push(`${id}: '${file}'`)
    const list = listIn(answer, Object.keys(query?.properties ?? {}))
    if (list) lists.push(`${id}: ${list}`)
  }
  const codes = coreAreas.flatMap(({ errors = [] }) => errors.flatMap(({ texts }) => Object.keys(texts))).sort()
  const named = [...types.named].map(([name, text]) => `export type ${name} = ${text}`)
  return `// Made by "npm run generate" of the operations of the registry: change those.
import type { UploadInput } from './upload.js'

/** Stable names of refusals; \`getStrings()\` has their texts. */
export type ErrorCode = ${codes.map((code) => `'${code}'`).join(' | ')}

${named.join('\n\n')}

/** What each operation takes and answers. */
export interface Operations { ${operations.join('\n\n')} }
export type OperationId = keyof Operations

/** Where each operation is found, below \`/api\`. */
export const ROUTES = { ${addresses.join(',\n')} } as const satisfies Readonly<Record<OperationId, { method: string; path: string }>>

/** Operations that answer a file to those who accept its type. */
export const FILES = { ${files.join(',\n')} } as const

/** How each list is read on: by which parameter, made of which field of the last item. */
export const LISTS = { ${lists.join(',\n')} } as const
`
}

const fileOf = ({ file, alsoAnswers = [] }: RegisteredOperation): string | undefined =>
  file?.type ?? alsoAnswers.find((type) => type.startsWith('application/'))

function listIn(answer: TSchema & { properties?: Json }, query: readonly string[]): string | undefined {
  for (const [cursor, fields] of Object.entries(CURSORS)) {
    if (!query.includes(cursor)) continue
    for (const [items, schema] of Object.entries(answer.properties ?? {})) {
      if (!isObject(schema) || !isObject(schema.items) || !isObject(schema.items.properties)) continue
      const { properties } = schema.items
      const from = fields.find((field) => field in properties)
      if (from !== undefined && !(cursor === 'lastSignId' && items !== 'signatures')) {
        return `{ items: '${items}', cursor: '${cursor}', from: '${from}' }`
      }
    }
  }
  return undefined
}
