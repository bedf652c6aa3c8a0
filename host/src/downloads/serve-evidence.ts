import { Ledger, type Registry, type Upload } from '@signed-registry/core'
import {
  BuildDocumentEvidence,
  type EvidenceFile,
  GetDocumentEvidence,
  GetPackageEvidence,
} from '@signed-registry/core/evidence'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serve } from '../http/serve-operations.js'
import { releaseWhenOver } from '../limits/shares.js'
import { accepts, attachment, hasTag, isLink, sendBase64, sendBytes } from './send-bytes.js'

/** Makes a bundle from a request. */
type Make = (registry: Registry) => (request: FastifyRequest) => Promise<EvidenceFile>

const serveEvidence =
  (make: Make): Serve =>
  (registry) => {
    const made = make(registry)
    const ledger = registry.get(Ledger)
    return async (request, reply) => {
      const file = await made(request)
      // What was sent for it is in memory already; a caller that only reads is refused when the share is used up.
      const take = request.method === 'POST' ? ledger.charge.bind(ledger) : ledger.take.bind(ledger)
      releaseWhenOver(request, reply, take('memory', request.caller, file.held))
      // Caches must not serve one form to a client that wants the other.
      reply.header('vary', 'accept')
      const type = fileType(request)
      return type === undefined ? sendJson(request, reply, file) : sendFile(request, reply.type(type), file)
    }
  }

const { alsoAnswers } = GetDocumentEvidence.operation
const [ZIP] = alsoAnswers
const TYPES = [...alsoAnswers, 'application/octet-stream']
/** The type of the file for clients that ask for it; `undefined` for those that get JSON. */
const fileType = (request: FastifyRequest): string | undefined =>
  isLink(request) ? ZIP : TYPES.find((one) => accepts(request, [one]))

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: EvidenceFile,
): Promise<FastifyReply> | FastifyReply {
  const { fileName, size, tag } = file
  const etag = `"${tag}"`
  reply.header('etag', etag).header('content-disposition', attachment(fileName))
  if (request.method !== 'POST' && hasTag(request, etag)) return reply.code(304).send()
  return sendBytes(request, reply, size, file.bytes())
}

const sendJson = (request: FastifyRequest, reply: FastifyReply, file: EvidenceFile): Promise<FastifyReply> =>
  sendBase64(request, reply, {
    before: `{"fileName":${JSON.stringify(file.fileName)},"evidence":"`,
    size: file.size,
    bytes: file.bytes(),
    after: '"}',
  })

/** Serves `GET /api/{id}/evidence`: the bundle as a stream, or JSON with it. */
export const serveDocumentEvidence = serveEvidence((registry) => {
  const operation = registry.get(GetDocumentEvidence)
  return ({ caller, params, query }) =>
    operation.execute(caller, { ...(params as { id: string }), query: query as object })
})

/** Serves `POST /api/{id}/evidence`. */
export const serveBuiltEvidence = serveEvidence((registry) => {
  const operation = registry.get(BuildDocumentEvidence)
  return ({ caller, params, body }) =>
    operation.execute(caller, { ...(params as { id: string }), upload: body as Upload })
})

/** Serves `GET /api/package/{packageId}/evidence`. */
export const servePackageEvidence = serveEvidence((registry) => {
  const operation = registry.get(GetPackageEvidence)
  return ({ caller, params, query }) =>
    operation.execute(caller, { ...(params as { packageId: string }), query: query as object })
})
