import { GetDocument } from '@signed-registry/core/documents'
import type { Serve } from './serve-operations.js'

/** A placeholder that cannot occur in JSON strings, where its quotation marks would be escaped. */
const NO_SIGNATURES = '"signatures":[]'

/** Serves `GET /api/{id}`: signatures are stored as JSON and inserted as they are; the rest is serialized by its schema. */
export const serveDocument: Serve = (registry) => {
  const documents = registry.unchecked(GetDocument)
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    const query = request.query as { lastSignId?: number }
    const { signatures, ...document } = await documents.write(request.caller, { id, query })
    const [before = '', after = ''] = String(reply.serialize({ ...document, signatures: [] })).split(NO_SIGNATURES)
    reply.type('application/json; charset=utf-8')
    return `${before}"signatures":[${signatures.join(',')}]${after}`
  }
}
