import { Readable } from 'node:stream'
import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { untilOver } from './until-over.js'

/** Takes a download of its caller's share for each answer that is streamed: who reads slowly holds what was read ahead for him. */
export function countDownloads(app: FastifyInstance, ledger: Ledger): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!(payload instanceof Readable)) return done()
    try {
      untilOver(request, reply, ledger.take('downloads', request.caller, 1))
      done()
    } catch (error) {
      payload.destroy()
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
