import { anonymous, type Caller, type Registry } from '@signed-registry/core'

import type { FastifyInstance } from 'fastify'
import { registryApi } from '#host/api.js'
import { buildServer } from '#host/server.js'
import { trustingApi } from './trusting-api.js'

/** The API over a registry, called by any caller that a test chooses. */
export interface TestApi {
  readonly app: FastifyInstance
  /** Sends JSON, or nothing, and gives the status and the answer. */
  ask(caller: Caller, method: 'GET' | 'POST', url: string, body?: unknown): Promise<{ status: number; json: Json }>
}

/** Answers of any shape. */
type Json = ReturnType<JSON['parse']>

/** Mounts the API with given callers, without authentication. */
export async function apiOf(registry: Registry): Promise<TestApi> {
  const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
  let current: Caller = anonymous
  app.addHook('preHandler', async (request) => {
    request.caller = current
  })
  await app.register(registryApi, { registry, ...trustingApi })
  return {
    app,
    async ask(caller, method, url, body) {
      current = caller
      const payload = body === undefined ? {} : { payload: body as object }
      const answer = await app.inject({ method, url: `/api${url}`, ...payload })
      return { status: answer.statusCode, json: answer.json() }
    },
  }
}
