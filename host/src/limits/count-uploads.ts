import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { untilOver } from './until-over.js'

/** Takes an upload of its caller's share for each request of a scope, or for those that are uploads, before anything of it is read. */
export function countUploads(
  app: FastifyInstance,
  ledger: Ledger,
  isUpload: (request: FastifyRequest) => boolean = () => true,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      if (isUpload(request)) untilOver(request, reply, ledger.take('uploads', request.caller, 1))
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
