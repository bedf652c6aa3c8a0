import type { BodyStream } from '@signed-registry/core'
import { AddCheckpoint, GetWitnessedCheckpoint } from '@signed-registry/core/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { statusOfKind } from '../error-status.js'
import { asRegistryError, sendRefusal } from '../http/problem.js'
import type { Serve } from '../http/serve-operations.js'

/** Cosigns a checkpoint (C2SP tlog-witness, "add-checkpoint"). */
export const serveAddCheckpoint: Serve = (registry) => {
  const add = registry.unchecked(AddCheckpoint)
  return (request, reply) =>
    asWitness(request, reply, async () => {
      // Decorated by the scope of streams.
      const body = (request.body as BodyStream | undefined) ?? { stream: [] }
      const answer = await add.execute(request.caller, { body })
      return wantsJson(request) ? answer : sendText(reply, answer.signatures)
    })
}

/** Shows a checkpoint that was cosigned (C2SP tlog-witness, "Monitor Retrieval Mechanism"). */
export const serveWitnessedCheckpoint: Serve = (registry) => {
  const get = registry.unchecked(GetWitnessedCheckpoint)
  return (request, reply) =>
    asWitness(request, reply, async () => {
      const originHash = String(Object(request.params).originHash)
      const answer = await get.execute(request.caller, { originHash })
      return wantsJson(request) ? answer : sendText(reply, answer.checkpoint)
    })
}

/** Runs a handler for logs and monitors, which go by statuses even when errors of the API are answered with 200. */
async function asWitness(request: FastifyRequest, reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (thrown) {
    const error = asRegistryError(thrown)
    if (error.kind === 'unexpected') throw thrown
    if (error.kind === 'unavailable') request.log.warn({ err: error, code: error.code }, 'unavailable')
    if (error.code !== 'checkpointConflict') return sendRefusal(request, reply, error, statusOfKind[error.kind])
    request.problemCode = error.code
    return reply.code(statusOfKind.conflict).type('text/x.tlog.size').send(`${error.details?.size}\n`)
  }
}

const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept === 'application/json'
const sendText = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/plain; charset=utf-8').send(text)
