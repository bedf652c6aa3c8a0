import type { BodyStream, KeptBody } from '@signed-registry/core'
import {
  BeginRawProcedure,
  type BeginRawProcedureRequest,
  GetRawResult,
  SendRawData,
} from '@signed-registry/core/procedures'
import type { FastifyRequest } from 'fastify'
import { toSafeJson } from '../http/answers.js'
import type { Serve } from '../http/serve-operations.js'
import { holdWithSpaces } from './held-requests.js'
import { sendBytes } from './send-bytes.js'

const qrIdOf = ({ params }: FastifyRequest): string => String(Object(params).qrId)

/** Begins a raw procedure; its URLs point to the port that the request came to. */
export const serveRaw: Serve = (registry) => {
  const begin = registry.unchecked(BeginRawProcedure)
  // Validated by the schema of the operation.
  return (request) => begin.execute(request.caller, { request: request.body as BeginRawProcedureRequest }, request)
}

/** Holds the caller who uploads data, and reads the body once the app has connected. */
export const serveRawData: Serve = (registry) => {
  const send = registry.unchecked(SendRawData)
  return (request, reply) => {
    // Decorated by the scope of streams.
    const body = (request.body as BodyStream | undefined) ?? { stream: [] }
    const input = { qrId: qrIdOf(request), body }
    return holdWithSpaces(
      request,
      reply,
      (connection) => send.execute(request.caller, input, connection, request),
      (answer) => toSafeJson(JSON.stringify(answer)),
    )
  }
}

/** Holds the caller who waits for the result, and answers with exactly the bytes that the app sent. */
export const serveRawResult: Serve = (registry) => {
  const result = registry.unchecked(GetRawResult)
  return async (request, reply) => {
    const held = await holdWithSpaces<KeptBody>(
      request,
      reply,
      (connection) => result.execute(request.caller, { qrId: qrIdOf(request) }, connection),
      (body) => body.bytes(),
    )
    return 'bytes' in held ? sendBytes(reply, held) : held
  }
}
