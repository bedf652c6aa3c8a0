import { type AnyOperation, FindProcedure, HeldCalls, type HeldConnection, type Registry } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toSafeJson } from '../http/answers.js'
import { asRegistryError } from '../http/problem.js'
import type { Serve } from '../http/serve-operations.js'
import { hijackReply, hold } from './held-requests.js'

const STREAM = 'text/event-stream'
/** Milliseconds of silence that proxies tolerate. */
const KEEP_ALIVE_MS = 15_000
const OPEN = new Set(['new', 'meta', 'data'])

/** Answers with the state of a procedure, once or as server-sent events until it ends. */
export const serveState =
  (
    operation: AnyOperation,
    visitOf?: (registry: Registry) => (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): Serve =>
  (registry) => {
    const state: { execute(caller: unknown, input: unknown, visit: unknown): unknown } = registry.unchecked(operation)
    const held = registry.get(HeldCalls)
    const find = registry.get(FindProcedure)
    const visitor = visitOf?.(registry)
    return async (request, reply) => {
      const { params, caller, headers } = request
      const visit = visitor?.(request, reply)
      const first = await state.execute(caller, params, visit)
      if (!headers.accept?.includes(STREAM)) return reply.send(first)
      const { qrId, loginId, operationId } = Object(params)
      const id =
        qrId === undefined ? String(loginId ?? operationId) : (await find.bySecret('callerKey', String(qrId))).id
      return hold(request, reply, async ({ signal }: HeldConnection) => {
        const call = await held.begin(id, 'watch')
        hijackReply(reply, `${STREAM}; charset=utf-8`)
        try {
          for (let last = ''; ; ) {
            const now = await state.execute(caller, params, visit)
            const text = toSafeJson(JSON.stringify(now))
            reply.raw.write(text === last ? ':\n\n' : `event: state\ndata: ${text}\n\n`)
            last = text
            if (!OPEN.has(String(Object(now).status))) break
            await call.next(KEEP_ALIVE_MS, signal)
          }
        } catch (error) {
          if (signal.aborted) throw error
          const { message, code } = asRegistryError(error)
          reply.raw.write(
            `event: problem\ndata: ${toSafeJson(JSON.stringify({ message, requestID: request.id, code }))}\n\n`,
          )
        } finally {
          await call.end()
        }
        reply.raw.end()
        return reply
      })
    }
  }
