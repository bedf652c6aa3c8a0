import type { AppDocuments, BodyStream } from '@signed-registry/core'
import { DescribeToApp, GiveToApp, GiveToSigner, TakeFromApp } from '@signed-registry/core/procedures'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { statusOfKind } from '../error-status.js'
import { asRegistryError, sendRefusal } from '../http/problem.js'
import type { Serve } from '../http/serve-operations.js'
import { hold } from './held-requests.js'
import { sendBytes } from './send-bytes.js'

/** Statuses that the app expects, where they differ from those of the API. */
const APP_STATUS: Readonly<Record<string, number>> = { invalid: 403, unacceptable: 403 }

/** Runs a handler for the app, which goes by statuses even when errors of the API are answered with 200. */
async function toApp(request: FastifyRequest, reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (thrown) {
    const error = asRegistryError(thrown)
    if (error.kind === 'unexpected') throw thrown
    return sendRefusal(request, reply, error, APP_STATUS[error.kind] ?? statusOfKind[error.kind])
  }
}

const appIdOf = ({ params }: FastifyRequest): string => String(Object(params).appId)
const proofOf = ({ headers }: FastifyRequest) => ({ authorization: headers.authorization })
// Decorated by the scope of streams.
const bodyOf = ({ body }: FastifyRequest): BodyStream => (body as BodyStream | undefined) ?? { stream: [] }

/** HEAD only checks that something exists: it is not a phone that follows the code or fetches the documents. */
const isHead = ({ method }: FastifyRequest): boolean => method === 'HEAD'

/** API 1. */
export const serveDescription: Serve = (registry) => {
  const describe = registry.unchecked(DescribeToApp)
  return (request, reply) =>
    toApp(request, reply, async () => {
      if (isHead(request)) return reply.send()
      return describe.execute(request.caller, { appId: appIdOf(request) }, { userAgent: request.headers['user-agent'] })
    })
}

/** API 2 for the entries None and Token. */
export const serveDocumentsToApp: Serve = (registry) => {
  const give = registry.unchecked(GiveToApp)
  return (request, reply) =>
    toApp(request, reply, async () => {
      if (isHead(request)) return reply.send()
      const appId = appIdOf(request)
      return sent(
        reply,
        await hold<AppDocuments>(request, reply, (connection) =>
          give.execute(request.caller, { appId }, proofOf(request), connection),
        ),
      )
    })
}

/** API 2 for the entry Eds. */
export const serveDocumentsToSigner: Serve = (registry) => {
  const give = registry.unchecked(GiveToSigner)
  return (request, reply) =>
    toApp(request, reply, async () => {
      const input = { appId: appIdOf(request), body: bodyOf(request) }
      return sent(
        reply,
        await hold<AppDocuments>(request, reply, (connection) => give.execute(request.caller, input, connection)),
      )
    })
}

/** The signatures that the app returns. */
export const serveReturned: Serve = (registry) => {
  const take = registry.unchecked(TakeFromApp)
  return (request, reply) =>
    toApp(request, reply, async () => {
      const input = { appId: appIdOf(request), body: bodyOf(request) }
      const { backUrl } = await take.execute(request.caller, input, proofOf(request))
      return backUrl === undefined ? reply.type('text/plain; charset=utf-8').send('success') : { backUrl }
    })
}

const sent = (reply: FastifyReply, given: AppDocuments | FastifyReply): FastifyReply =>
  'bytes' in given ? sendBytes(reply, given) : given
