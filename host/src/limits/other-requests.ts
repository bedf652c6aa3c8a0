import { anonymous } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { clientAddress } from '../http/client-address.js'
import { HoldOff } from './hold-off.js'
import { type RateSettings, RequestRates } from './request-rates.js'

const API = /^\/api(?:[/?]|$)/
/** Probes and files of pages come in larger numbers, and cost little. */
const TIMES_MORE = 10

/** Counts the requests of an address for what is not the API, which counts its own: probes, pages, the description. */
export function limitOtherRequests(app: FastifyInstance, { anonymous: perMinute, holdMs }: RateSettings): void {
  const rates = new RequestRates({ anonymous: TIMES_MORE * perMinute, caller: 0 }, () => performance.now())
  const holdOff = new HoldOff(app, holdMs)
  app.addHook('onRequest', (request, _reply, done) => {
    if (API.test(request.url)) done()
    else holdOff.judge(request, () => rates.count(anonymous, clientAddress(request)), done)
  })
}
