import type { RegisteredOperation, RegistryDescription } from '@signed-registry/core'
import type { TSchema } from 'typebox'
import { routesOf } from '../routes.js'
import { inComment, isObject, type Json, listOf, SchemaTypes } from './schema-types.js'

/** What a list is read on by: the query, and the field of its last item that goes into it. */
const CURSORS = { until: ['storedAt', 'timeStamp'], lastSignId: ['signId'], lastEventId: ['eventId'] } as const

/** The app has its own protocol; held calls stream bytes of any size, to addresses that are used as given. */
const ofPhones = ({ id, stream }: RegisteredOperation): boolean =>
  stream === true || ['getRawResult', 'describeToApp', 'giveToApp'].includes(id)

/** The source of the operations of our client, which core alone has. */
export const stockClientSource = (
  registry: RegistryDescription,
): string => `// Made by "npm run generate" of the operations of the registry: change those.
import type { UploadInput } from './upload.js'

${operationsSource(registry)}`

/** What a client of a registry with plugins begins with. */
export const CLIENT_MARK = '// Made by "signed-registry client"'

/** The source of a client that has operations of plugins as well. */
export const clientSource = (
  registry: RegistryDescription,
): string => `${CLIENT_MARK} of the operations of a registry and its plugins.
import { type ClientOf, type ClientOptions, clientOf, isProblem as isAny, type RegistryProblem, type UploadInput } from '@signed-registry/client'

${operationsSource(registry)}
/** A client of the registry, with the operations of its plugins. */
export type Client = ClientOf<Operations, keyof typeof FILES>
export const createClient = (options?: ClientOptions): Client => clientOf<Operations, keyof typeof FILES>({ ROUTES, FILES }, options)

/** True for a refusal with this code, also for those of plugins. */
export const isProblem = (error: unknown, code?: ErrorCode): error is RegistryProblem => isAny(error) && (code === undefined || String(error.code) === code)
`

/** Made of the operations themselves, and of the table of routes. */
function operationsSource({ operations: all, codes }: RegistryDescription): string {
  const types = new SchemaTypes()
  const operations: string[] = []
  const addresses: string[] = []
  const lists: string[] = []
  const files: string[] = []
  for (const { method, path, operation, isAlias } of routesOf(all)) {
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
      `/** ${inComment(summary)} */ readonly ${id}: { readonly input: ${shape}\nreadonly answer: ${types.text(answer)} }`,
    )
    addresses.push(`${id}: { method: '${method}', path: '${path}' }`)
    const file = fileOf(operation)
    if (file !== undefined) files.push(`${id}: '${file}'`)
    const list = listIn(answer, Object.keys(query?.properties ?? {}))
    if (list) lists.push(`${id}: ${list}`)
  }
  const named = [...types.named].map(([name, text]) => `export type ${name} = ${text}`)
  return `/** Stable names of refusals; \`getStrings()\` has their texts. */
export type ErrorCode = ${codes
    .toSorted()
    .map((code) => `'${code}'`)
    .join(' | ')}

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
