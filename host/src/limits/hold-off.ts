import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { RegistryError } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddress } from './client-address.js'
import { defaultRates } from './request-rates.js'

/**
 * Lets who asks too often wait for the refusal: one asks no more often than once in that time on each connection, and
 * what is refused costs as good as nothing. Requests of a proxy are refused at once, or it would run out of connections.
 */
export class HoldOff {
  private readonly closing = new AbortController()

  constructor(
    app: FastifyInstance,
    private readonly milliseconds = defaultRates.holdMs,
  ) {
    setMaxListeners(0, this.closing.signal)
    app.addHook('preClose', async () => this.closing.abort())
  }

  /** Judges a request and goes on at once where that takes no time; what `judge` throws for too many requests comes later. */
  judge(request: FastifyRequest, judge: () => Promise<void> | void, done: (error?: Error) => void): void {
    const refuse = async (error: unknown) => {
      if (error instanceof RegistryError && error.kind === 'tooMany') await this.hold(request)
      done(error instanceof Error ? error : new Error(String(error)))
    }
    let judging: Promise<void> | void
    try {
      judging = judge()
    } catch (error) {
      void refuse(error)
      return
    }
    if (judging === undefined) done()
    else judging.then(() => done(), refuse)
  }

  private async hold(request: FastifyRequest): Promise<void> {
    if (clientAddress(request) !== request.raw.socket.remoteAddress) return
    await wait(this.milliseconds, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined)
  }
}
