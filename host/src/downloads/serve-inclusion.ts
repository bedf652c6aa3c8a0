import { GetSignatureInclusion } from '@signed-registry/core/evidence'
import type { Serve } from '../http/serve-operations.js'
import { accepts, attachment, isLink } from './send-bytes.js'

const TEXT = 'text/plain'

/** Serves `GET /api/{id}/signature/{signId}/inclusion`: JSON, or the proof, which browsers that follow a link save. */
export const serveInclusion: Serve = (registry) => {
  const operation = registry.get(GetSignatureInclusion)
  return async (request, reply) => {
    const params = request.params as { id: string; signId: number }
    const answer = await operation.execute(request.caller, params)
    // Caches must not serve one form to a client that wants the other.
    reply.header('vary', 'accept')
    const isSaved = isLink(request)
    // Clients that name both types expect JSON.
    const isText = isSaved || (accepts(request, [TEXT]) && !accepts(request, ['application/json']))
    if (answer.proof === undefined || !isText) return answer
    if (isSaved) reply.header('content-disposition', attachment(`${params.signId}.tlog-proof`))
    return reply.type(TEXT).send(answer.proof)
  }
}
