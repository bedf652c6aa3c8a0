import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ledgerErrors } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import type { MemoryLimit } from './memory-limit.js'

/** Parts of the limit from which on nothing new is begun, and bodies that are coming are ended. */
const [REFUSED, SHED] = [0.85, 0.95]
const LOOKED_AT_EVERY = 25
/** Milliseconds between two collections of garbage that are asked for. */
const COLLECTED_EVERY = { refusing: 2000, shedding: 200 }
const RETRY_AFTER = 5
const PROBES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/

/**
 * Refuses every request but probes with `serviceBusy`, unread, while the process has nearly as much memory as it may have and
 * works on others: what is under way comes to its end. Where that takes too much as well, half of the bodies that are
 * coming end, and half of the rest: better than that the kernel ends all.
 */
export function refuseWhenFull(app: FastifyInstance, { bytes, used }: MemoryLimit): void {
  let isRefusing = false
  let collectedAt = Number.NEGATIVE_INFINITY
  const look = () => {
    const before = used() / bytes
    isRefusing = before > REFUSED
    const passed = performance.now() - collectedAt
    if (!isRefusing || passed < COLLECTED_EVERY[before > SHED ? 'shedding' : 'refusing']) return
    // Who refuses everything makes no garbage, and what is there would never be collected.
    collectGarbage()
    collectedAt = performance.now()
    const left = used() / bytes
    isRefusing = left > REFUSED
    if (left > SHED) app.log.warn({ ended: app.exchanges.shed() }, 'memory is nearly used up')
  }
  const timer = setInterval(look, LOOKED_AT_EVERY).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isRefusing || PROBES.test(request.url) || !app.exchanges.hasOthers) done()
    else done(ledgerErrors.error('serviceBusy', { resource: 'memory', retryAfter: RETRY_AFTER }))
  })
}

let collector: unknown
function collectGarbage(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc')
  }
  if (typeof collector === 'function') collector()
}
