import {
  databaseFailure,
  documentErrors,
  ledgerErrors,
  originalErrors,
  RegistryError,
  requestErrors,
} from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { type Static, Type } from 'typebox'
import { type ErrorsStatus, retryAfter, statusOfKind } from '../error-status.js'
import { toSafeJson } from './answers.js'

/** The body of every refusal. */
export const Problem = Type.Object(
  {
    message: Type.String({ description: 'Key of errorMessages in GET /api/strings' }),
    requestID: Type.String({ description: 'Names this request in the log of the service' }),
    code: Type.String({ description: 'Stable name of the error' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What was wrong, and where' })),
  },
  { $id: 'Problem' },
)
export type Problem = Static<typeof Problem>

/** Answers a refusal otherwise than with a `Problem`, such as with a page; `undefined` where it does not. */
export type OtherAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: RegistryError,
) => Promise<FastifyReply> | undefined

/** Answers every error of this scope as a `Problem`, unless `other` answers it. Must be called before any route is added: a route keeps the handler of that moment. */
export function answerProblems(app: FastifyInstance, status: ErrorsStatus, other?: OtherAnswer): void {
  app.setErrorHandler((thrown, request, reply) => {
    // The connection broke off while the body was read: nobody gets the answer, but it is not our failure.
    const brokenOff = request.raw.destroyed && !request.raw.complete
    const error = brokenOff
      ? originalErrors.error('processedSizeDiffers', undefined, thrown)
      : (wrongType(thrown, request) ?? asRegistryError(thrown))
    if (error.kind === 'unexpected') request.log.error({ err: error.cause ?? error }, 'unexpected error')
    else if (error.kind === 'unavailable') request.log.warn({ err: error, code: error.code }, 'unavailable')
    return other?.(request, reply, error) ?? sendProblem(request, reply, error, status)
  })
}

/** Sends a refusal. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: RegistryError, status: ErrorsStatus) =>
  sendRefusal(request, reply, error, status === 'always-200' ? 200 : statusOf(error))

/** Headers of a success to remove when it becomes a refusal: the refusal must not be cached or saved in its place. */
const CONTENT_HEADERS = ['etag', 'content-disposition', 'content-length']

/** Sends a refusal with this HTTP status. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, error: RegistryError, status: number) {
  request.problemCode = error.code
  request.problemStatus = statusOf(error)
  const seconds = error.details?.retryAfter ?? retryAfter[error.kind]
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  for (const name of CONTENT_HEADERS) reply.removeHeader(name)
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(problemBody(error, request.id))
}

/** The body of a refusal. */
export function problemOf(error: RegistryError, requestID: string): Problem {
  const body: Problem = { message: error.message, requestID, code: error.code }
  if (error.details !== undefined) body.details = error.details
  return body
}

/** The JSON text of a refusal. */
export function problemBody(error: RegistryError, requestID: string): string {
  const body = problemOf(error, requestID)
  return toSafeJson(JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? value.toString() : value)))
}

// RFC 9110, 15.5.6, 15.5.16 and 15.5.17: method not allowed, unsupported media type, range not satisfiable.
const statusOfCode: Readonly<Record<string, number>> = {
  invalidMethod: 405,
  unsupportedMediaType: 415,
  rangeNotSatisfiable: 416,
}
const statusOf = ({ code, kind }: RegistryError) =>
  (kind === 'invalid' ? statusOfCode[code] : undefined) ?? statusOfKind[kind]

const WRONG_TYPES = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_CTP_EMPTY_TYPE'])

/** A body of an unsupported type; names the one that the endpoint accepts. */
function wrongType(thrown: unknown, request: FastifyRequest): RegistryError | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !WRONG_TYPES.has(String(thrown.code))) return undefined
  const [expected = 'application/json'] = request.routeOptions.schema?.consumes ?? []
  return requestErrors.error('unsupportedMediaType', { expected })
}

/** Errors of Fastify itself as errors of the catalogue. */
const fastifyRefusals: Readonly<Record<string, keyof typeof requestErrors.texts>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'jsonNotParsed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'jsonNotParsed',
  FST_ERR_NOT_FOUND: 'invalidRoute',
  // For a method that no route has, such as QUERY; raised before routing.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'invalidRoute',
  FST_ERR_BAD_URL: 'invalidRoute',
  FST_ERR_INVALID_URL: 'invalidRoute',
  FST_ERR_MAX_PARAM_LENGTH: 'invalidRoute',
}

/** The message of V8 when a buffer cannot be allocated. */
const NO_MEMORY = /^Array buffer allocation failed/

/** Anything thrown as an error of the catalogue; a foreign error becomes `unexpected`, with the original as its cause. */
export function asRegistryError(thrown: unknown): RegistryError {
  if (isRegistryError(thrown)) return thrown
  if (!(thrown instanceof Error)) return requestErrors.error('unexpected', undefined, new Error(String(thrown)))
  if ('validation' in thrown && Array.isArray(thrown.validation)) {
    return wrongShape(thrown.validation[0], 'validationContext' in thrown ? String(thrown.validationContext) : 'body')
  }
  const failure = databaseFailure(thrown)
  if (failure !== undefined)
    return requestErrors.error(failure === 'full' ? 'databaseFull' : 'databaseUnavailable', undefined, thrown)
  if (thrown instanceof RangeError && NO_MEMORY.test(thrown.message))
    return ledgerErrors.error('serviceBusy', { resource: 'memory' }, thrown)
  const code = 'code' in thrown ? String(thrown.code) : ''
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return originalErrors.error('processedSizeDiffers', undefined, thrown)
  return requestErrors.error(fastifyRefusals[code] ?? 'unexpected', undefined, thrown)
}

/** True also for errors of a second copy of core that npm may have installed for a plugin. */
function isRegistryError(thrown: unknown): thrown is RegistryError {
  if (thrown instanceof RegistryError) return true
  return (
    thrown instanceof Error &&
    thrown.name === 'RegistryError' &&
    'kind' in thrown &&
    String(thrown.kind) in statusOfKind
  )
}

function wrongShape(wrong: FastifySchemaValidationError | undefined, part: string): RegistryError {
  const allowed: unknown = wrong?.params.allowedValues ?? wrong?.params.allowedValue
  const details = {
    part,
    path: wrong?.instancePath ?? '',
    problem: wrong?.message ?? '',
    ...(allowed !== undefined && { allowed }),
  }
  if (part === 'body') return requestErrors.error('invalidJsonStructure', details)
  if (part === 'params' && details.path === '/signId')
    return documentErrors.error('invalidSignatureIdentifier', details)
  return requestErrors.error('invalidQueryParameter', details)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error in the answer, for the log. */
    problemCode: string | undefined
    /** The status of its kind, whatever `ERRORS_STATUS` says. */
    problemStatus?: number
  }
}
