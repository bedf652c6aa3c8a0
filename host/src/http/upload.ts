import type { IncomingMessage } from 'node:http'
import { documentErrors, type Upload } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requestErrors } from '../errors.js'

/** Describes an upload in OpenAPI; the value of `request.body` is an `Upload`. */
export const UploadBody = Type.Unsafe<Upload>({ type: 'string', format: 'binary' })

/** Makes this scope take bodies of `application/octet-stream` with a `Content-Length` of at most `limit` bytes. */
export function takeUploads(app: FastifyInstance, limit: number): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    const size = declaredSize(request)
    if (size === undefined) done(requestErrors.error('contentLengthNotSet'))
    else if (size > limit) done(requestErrors.error('bodyTooLarge', { limit }))
    else if (request.headers['content-type'] === undefined) done(requestErrors.error('invalidHeaders'))
    else done()
  })
  app.addContentTypeParser('application/octet-stream', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const size = declaredSize(request) ?? 0
    const upload: Upload = { size, stream: countedBytes(payload, size) }
    done(null, upload)
  })
  // An upload is a stream, nothing for a JSON schema to look at.
  const others = app.validatorCompiler
  app.setValidatorCompiler((route) => (route.httpPart === 'body' || others === undefined ? () => true : others(route)))
}

function declaredSize(request: FastifyRequest): number | undefined {
  const text = request.headers['content-length']
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}

/** Passes the bytes on while they are as many as declared; otherwise ends in `processedSizeDiffers`, also when the connection breaks off. */
async function* countedBytes(source: IncomingMessage, size: number): AsyncGenerator<Uint8Array> {
  let received = 0
  try {
    // Destroying a request closes its socket: a reader that stops early could not be answered any more.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      received += chunk.length
      if (received > size) break
      yield chunk
    }
  } catch (cause) {
    throw documentErrors.error('processedSizeDiffers', { declared: size, received }, cause)
  }
  if (received !== size) throw documentErrors.error('processedSizeDiffers', { declared: size, received })
}
