import type { Registry } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { toSafeJson } from '../http/answers.js'
import { describedRoutes } from './described-routes.js'
import { describingApp } from './describing-app.js'

/** What the pages of the description are called; nothing else is asked for, so that few of them are kept. */
const PAGE = /^(?:static\/)?(?:theme\/)?[\w-]*(?:\.\w+)*$/
/** Headers of an answer that say what it has; the others are of the exchange. */
const KEPT = ['content-type', 'content-security-policy', 'location', 'etag', 'last-modified', 'cache-control']

interface Kept {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Describes all routes that are registered after this in OpenAPI 3.1: `/openapi.json`, and `/docs` to browse. All of it is
 * made for its first reader.
 */
export function serveOpenApi(app: FastifyInstance, registry: Registry): void {
  const described = describedRoutes(app)
  let describing: Promise<FastifyInstance> | undefined
  const description = () => {
    describing ??= describingApp(described, registry).catch((error: unknown) => {
      describing = undefined
      throw error
    })
    return describing
  }
  // Serialized once: 280 KB for every request blocked others for seconds.
  let written: Buffer | undefined
  const document = async (): Promise<Kept> => {
    written ??= Buffer.from(toSafeJson(JSON.stringify((await description()).swagger())))
    return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: written }
  }
  const pages = new Map<string, Kept>()
  const page = async (path: string): Promise<Kept> => {
    const { statusCode: status, headers, rawPayload: body } = await (await description()).inject(path)
    const kept = { status, headers: keptOf(headers), body }
    if (status === 200) pages.set(path, kept)
    return kept
  }
  const hidden = { schema: { hide: true } } as const
  app.get('/openapi.json', hidden, async (_request, reply) => {
    const { headers, body } = await document()
    return reply.headers(headers).send(body)
  })
  for (const url of ['/docs', '/docs/*'])
    app.get<{ Params: { '*'?: string } }>(url, hidden, async (request, reply) => {
      const { '*': name = '' } = request.params
      if (!PAGE.test(name)) return reply.callNotFound()
      // Its first page refers to the others from where it stands.
      const path = /^\/docs(?:\?|$)/.test(request.url) ? '/docs' : `/docs/${name}`
      const { status, headers, body } = name === 'json' ? await document() : (pages.get(path) ?? (await page(path)))
      if (status === 404) return reply.callNotFound()
      if (headers.etag !== undefined && headers.etag === request.headers['if-none-match'])
        return reply.code(304).headers(headers).send()
      return reply.code(status).headers(headers).send(body)
    })
}

const keptOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      KEPT.includes(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
