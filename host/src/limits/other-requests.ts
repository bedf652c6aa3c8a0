import { anonymous } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { clientAddress } from './client-address.js'
import { HoldOff } from './hold-off.js'
import { type RateSettings, RequestRates } from './request-rates.js'

/** Probes and files of pages come in larger numbers, and cost little. */
const TIMES_MORE = 10

/**
 * Counts the requests of an address for what no scope counts by itself, as the API and pages do: probes, files, the description.
 * Whose a request is, the matched route says: an address can be written in many ways.
 */
export function limitOtherRequests(app: FastifyInstance, { anonymous: perMinute, holdMs }: RateSettings): void {
  const rates = new RequestRates({ anonymous: TIMES_MORE * perMinute, caller: 0 }, () => performance.now())
  const holdOff = new HoldOff(app, holdMs)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.server.hasDecorator('sessionTokens')) done()
    else holdOff.judge(request, () => rates.count(anonymous, clientAddress(request)), done)
  })
}
