import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/** Bytes; smaller answers are written at once, and cost more to count than they take. */
const WORTH_COUNTING = 256 * 1024
/** An answer as it was made, and once more on its way out. */
const COPIES = 2

/**
 * Counts the memory of large answers for who asked, until they are taken: a client that reads slowly holds all of one. What
 * has changed something is told whatever it takes; who only reads is refused where his share is taken.
 */
export function countLargeAnswers(app: FastifyInstance, ledger: Pick<Ledger, 'charge' | 'take'>): void {
  app.addHook('onSend', ({ caller, method }, reply, payload, done) => {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (size <= WORTH_COUNTING || reply.raw.destroyed) return done()
    try {
      const taken = ledger[method === 'GET' ? 'take' : 'charge']('memory', caller, COPIES * size)
      reply.raw.once('close', () => taken.release())
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
