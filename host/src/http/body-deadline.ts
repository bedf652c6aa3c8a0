import type { FastifyInstance } from 'fastify'

/** How slowly a body may come: so long for its start, then on average at least so fast. */
export interface BodyPace {
  /** Milliseconds that every body has. */
  readonly grace: number
  /** Bytes for which one more second is given. */
  readonly bytesPerSecond: number
}

/** Breaks the connection of a body that comes too slowly, so that drip-feeding clients cannot hold the host. */
export function expectBodiesInTime(app: FastifyInstance, pace: BodyPace, longest: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    const declared = raw.headers['content-length']
    if (declared !== undefined || raw.headers['transfer-encoding'] !== undefined) {
      const bytes = Number(declared ?? longest)
      const deadline = setTimeout(() => raw.destroy(), pace.grace + (bytes / pace.bytesPerSecond) * 1000)
      deadline.unref()
      const arrived = () => clearTimeout(deadline)
      raw.once('end', arrived).once('close', arrived)
    }
    done()
  })
}
