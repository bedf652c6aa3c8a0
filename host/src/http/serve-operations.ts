import { KeptAnswers, type RegisteredOperation, type Registry, requestErrors, usualJson } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type Api, component, ref } from './components.js'
import { FORM_TYPE, type Form, isForm } from './form.js'
import { Problem } from './problem.js'
import { AnyBody, UploadBody } from './upload.js'

/** The route of an operation: a method and a path below `/api`, with `:name` for each parameter. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: RegisteredOperation
  /** A handler for what only HTTP has, such as cookies; without it the operation is executed with the parameters and the body. */
  readonly serve?: Serve
  /** A second address, of the production service; not described in OpenAPI. */
  readonly isAlias?: true
  /** Fields that its clients may leave out of the body, with their values. */
  readonly filledIn?: Readonly<Record<string, string>>
}

/** Makes a custom handler; called once for each registry. */
export type Serve = (registry: Registry) => (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Serves operations at their routes: validates the input, executes, answers. OpenAPI is made from the same schemas. */
export function serveOperations(api: Api, registry: Registry, routes: readonly Route[], longestJson: number): void {
  const { validatorCompiler, serializerCompiler } = api
  // For routes without a schema Fastify copies all schemas of the scope to look for one: a sixth of the startup time.
  const compilers = {
    ...(validatorCompiler && { validatorCompiler }),
    ...(serializerCompiler && { serializerCompiler }),
  }
  for (const { method, path, operation, isAlias, filledIn, serve = execute(operation) } of routes) {
    const { id: operationId, json, upload, orStored, onlyOctets, stream } = operation
    const bounds = { ...usualJson, ...json }
    api.route({
      method,
      url: path,
      ...(!upload && !stream && { bodyLimit: Math.min(bounds.bytes, longestJson) }),
      config: { operationId, json: bounds, ...(orStored && { orStored }), ...(onlyOctets && { onlyOctets }) },
      ...compilers,
      ...(filledIn && { preValidation: fillIn(filledIn) }),
      schema: {
        ...describeOperation(api, operation),
        ...((isAlias || operation.group === 'development') && { hide: true }),
      },
      handler: serve(registry),
    })
  }
}

/** Fills in the fields that a body leaves out. */
const fillIn = (fields: Readonly<Record<string, string>>) => async (request: FastifyRequest) => {
  const { body } = request
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) request.body = { ...fields, ...body }
}

const execute =
  ({ Class, id, upload, idempotent, file, form }: RegisteredOperation): Serve =>
  (registry) => {
    const part = registry.unchecked(Class)
    const answers = registry.get(KeptAnswers)
    return async (request, reply) => {
      const { caller, params, query, body, headers } = request
      // Fastify skips schemas by media type when there is neither a type nor a body.
      if (form && body === undefined) throw requestErrors.error('invalidJsonStructure', NO_BODY)
      const input = {
        ...(params as object),
        query,
        ...(upload ? { upload: body } : form && isForm(request) ? partsOf(body) : { request: body }),
      }
      const key = headers[IDEMPOTENCY_KEY]
      if (idempotent && typeof key === 'string') {
        return answers.once({ caller, key, operation: id, input }, async (keep) =>
          Object(await part.execute(caller, { ...input, keep })),
        )
      }
      const answer = await part.execute(caller, input)
      return file !== undefined && headers.accept === file.type ? fileOrAnswer(reply, answer, file) : answer
    }
  }

const NO_BODY = { part: 'body', path: '', problem: 'must be object' }

const partsOf = (body: unknown) => {
  const { request, original } = body as Form
  return { request, upload: original }
}

/** The file that a field of the answer holds; the answer where it has none. */
function fileOrAnswer(
  reply: FastifyReply,
  answer: unknown,
  { field, type }: NonNullable<RegisteredOperation['file']>,
): unknown {
  const file: unknown = new Map(Object.entries(Object(answer))).get(field)
  if (typeof file !== 'string') return answer
  return reply.type(type).send(Buffer.from(file, 'base64'))
}

/** Identifies a request that may be retried, so that it has one effect (draft-ietf-httpapi-idempotency-key-header). */
const IDEMPOTENCY_KEY = 'idempotency-key'
const KeyHeader = Type.Object({
  [IDEMPOTENCY_KEY]: Type.Optional(
    Type.String({
      description: 'yours, such as a random UUID: the same request with it, within 24 hours, has one effect',
    }),
  ),
})

/** The schema of an operation for Fastify and OpenAPI; its named parts become components of the scope. */
function describeOperation(api: Api, spec: RegisteredOperation) {
  const {
    id,
    group,
    summary,
    who,
    description,
    params,
    query,
    request,
    form,
    upload,
    stream,
    answer,
    idempotent,
    file,
    alsoAnswers = [],
  } = spec
  return {
    operationId: id,
    tags: [group],
    summary,
    description: `${sentence(who.words)}${description === undefined ? '' : ` ${description}`}`,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(idempotent && { headers: KeyHeader }),
    ...(request && { body: form ? jsonOrForm(component(api, request)) : component(api, request) }),
    ...(upload && { body: UploadBody, consumes: ['application/octet-stream'] }),
    ...(stream && { body: AnyBody, consumes: ['*/*'] }),
    response: {
      200: described(api, answer, file === undefined ? alsoAnswers : [file.type]),
      '4xx': { description: 'Refused: `code` says why, and GET /api/strings has the texts', ...ref(Problem) },
      '5xx': { description: 'Failed, or not available now', ...ref(Problem) },
    },
  }
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** A request in JSON, or a form with the same JSON and the original. */
const jsonOrForm = (request: object) => ({
  content: {
    'application/json': { schema: request },
    [FORM_TYPE]: {
      schema: {
        type: 'object',
        required: ['request', 'original'],
        properties: { request, original: { contentMediaType: 'application/octet-stream' } },
      },
    },
  },
})

/** An answer in JSON, or bytes of one of these types. */
const described = (api: Api, answer: TSchema, types: readonly string[]) => {
  const json = component(api, answer)
  if (types.length === 0) return { description: 'Done', ...json }
  const others = types.map((type) => {
    const schema = { type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) }
    return [type, { schema }] as const
  })
  return { description: 'Done', content: { 'application/json': { schema: json }, ...Object.fromEntries(others) } }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `id` of the operation that the route serves. */
    operationId?: string
    /** True where the JSON `{}` stands for the original that is stored. */
    orStored?: true
    /** True when a body must be `application/octet-stream`. */
    onlyOctets?: true
  }
}
