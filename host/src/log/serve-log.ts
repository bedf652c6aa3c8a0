import type { Registry } from '@signed-registry/core'
import { ServeLog } from '@signed-registry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerProblems } from '../http/problem.js'

/** A tile never changes: the path of one that has grown is another. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Seconds that a cache may keep a checkpoint: a log grows once a second. */
const CHECKPOINT_SECONDS = 2

/**
 * Serves the logs of a registry at `/log/<name>/` (C2SP tlog-tiles), to programs and to pages of any origin. Refusals have the
 * statuses of HTTP whatever the API answers, as auditors and witnesses go by them.
 */
export function serveLog(app: FastifyInstance, registry: Pick<Registry, 'get'>): void {
  const log = registry.get(ServeLog)
  const hidden = { schema: { hide: true } } as const
  app.register(
    async (scope) => {
      if (!scope.hasRequestDecorator('problemCode')) scope.decorateRequest('problemCode', undefined)
      answerProblems(scope, 'semantic')
      scope.addHook('onRequest', (_request, reply, done) => {
        reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
        reply.header('cache-control', 'no-store')
        done()
      })
      scope.get<{ Params: { name: string } }>('/:name/checkpoint', hidden, async ({ params }, reply) => {
        const note = await log.checkpoint(params.name)
        return send(reply, `public, max-age=${CHECKPOINT_SECONDS}`, 'text/plain; charset=utf-8', Buffer.from(note))
      })
      scope.get<{ Params: TileParams }>('/:name/tile/*', hidden, async (request, reply) => {
        const tile = await log.tile(request.params.name, writtenPath(request))
        return send(reply, FOR_EVER, 'application/octet-stream', tile)
      })
    },
    { prefix: '/log' },
  )
}

interface TileParams {
  readonly name: string
  readonly '*': string
}

/** The path below `tile/` as it was written: a tile has one address, so that caches have it once. Empty for another spelling. */
function writtenPath({ url, params }: Pick<FastifyRequest<{ Params: TileParams }>, 'url' | 'params'>): string {
  const path = params['*']
  const [written = ''] = url.split('?', 1)
  return written.endsWith(`/tile/${path}`) ? path : ''
}

const send = (reply: FastifyReply, caching: string, type: string, bytes: Uint8Array) =>
  reply
    .header('cache-control', caching)
    .header('content-type', type)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
