import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/** Bytes; smaller answers are written at once, and cost more to count than they take. */
const WORTH_COUNTING = 256 * 1024
/** An answer as it was made, and once more on its way out. */
const COPIES = 2

/** Counts the memory of large answers for who asked, until they are taken: a client that reads slowly holds all of one. */
export function countLargeAnswers(app: FastifyInstance, ledger: Pick<Ledger, 'charge'>): void {
  app.addHook('onSend', ({ caller }, reply, payload, done) => {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (size > WORTH_COUNTING && !reply.raw.destroyed) {
      const taken = ledger.charge('memory', caller, COPIES * size)
      reply.raw.once('close', () => taken.release())
    }
    done()
  })
}
