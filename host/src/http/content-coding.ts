import { requestErrors } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/**
 * Refuses bodies with a `Content-Encoding`, and says that they are taken as they are (RFC 9110, 8.4, 12.5.3 and 15.5.16):
 * hashes and signatures are over the bytes themselves, and nothing is unpacked for a stranger.
 */
export function refuseCodings(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, is404 } = request
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (is404 || !hasBody || isPlain(headers['content-encoding'])) return done()
    reply.header('accept-encoding', 'identity')
    done(requestErrors.error('unsupportedMediaType', { expected: 'identity' }))
  })
}

const isPlain = (codings = ''): boolean =>
  codings.split(',').every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))
