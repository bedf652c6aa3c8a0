import { type GivenShares, Ledger, type Upload } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { sharesOf } from '#core/ledger/shares.js'
import { type ApiSettings, apiScope, defaultApiSettings } from '#host/api-scope.js'
import { addComponents, ref } from '#host/http/components.js'
import { UploadBody } from '#host/http/upload.js'
import { buildServer } from '#host/server.js'

export const Person = Type.Object(
  { name: Type.String(), age: Type.Optional(Type.Integer()), friends: Type.Optional(Type.Array(Type.Unknown())) },
  { $id: 'Person' },
)
const Query = Type.Object({ count: Type.Optional(Type.Integer()), deep: Type.Optional(Type.Boolean()) })

/** The handler of a stub route. */
export interface StandIns {
  greet?(body: unknown): unknown
  take?(upload: Upload): Promise<unknown>
}

/** A server with a scope of the API and a few stub routes under `/api`. */
export async function serverWith(
  standIns: StandIns = {},
  settings: Partial<ApiSettings> = {},
  shares: GivenShares = {},
): Promise<FastifyInstance> {
  const all = { ...defaultApiSettings, ...settings }
  const app = buildServer({ logLevel: 'silent', errorsStatus: all.errorsStatus, pace: all.pace })
  await app.register(
    (api) =>
      apiScope(api, all, new Ledger({ shares: sharesOf(shares) }), {
        json(scope) {
          addComponents(scope, [Person])
          scope.post('', { schema: { body: ref(Person) } }, async ({ body }) => standIns.greet?.(body) ?? body)
          scope.get('/count', { schema: { querystring: Query } }, async ({ query }) => query)
          scope.get('/:id', async ({ params }) => params)
        },
        uploads(scope) {
          scope.post(
            '/:id/data',
            { schema: { body: UploadBody, consumes: ['application/octet-stream'] } },
            async ({ body }) => standIns.take?.(body) ?? {},
          )
        },
      }),
    { prefix: '/api' },
  )
  return app
}

/** Listens on a free port; gives the URL. */
export const listen = (app: FastifyInstance): Promise<string> => app.listen({ host: '127.0.0.1', port: 0 })
