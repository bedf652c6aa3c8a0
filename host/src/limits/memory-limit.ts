import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ledgerErrors } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/** How much memory a process may have, and has. */
export interface MemoryLimit {
  readonly bytes: number
  used(): number
}

/** The limit that an operator gives; else that of the control group or of `ulimit -d`; none where nobody set one. */
export function memoryLimit(given: number | undefined): MemoryLimit | undefined {
  if (given !== undefined) return given === 0 ? undefined : { bytes: given, used: process.memoryUsage.rss }
  const data = Number(/^Max data size +(\d+) /m.exec(fileOf('limits'))?.[1] ?? Number.POSITIVE_INFINITY)
  const group = process.constrainedMemory() || Number.POSITIVE_INFINITY
  if (Math.min(data, group) >= totalmem()) return undefined
  return data < group ? { bytes: data, used: dataOf } : { bytes: group, used: process.memoryUsage.rss }
}

/** What the kernel counts for `ulimit -d`. */
const dataOf = (): number => 1024 * Number(/^VmData:\s+(\d+) kB/m.exec(fileOf('status'))?.[1] ?? 0)

function fileOf(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** Parts of the limit from which on nothing new is begun, and bodies that are coming are ended. */
const [REFUSED, SHED] = [0.85, 0.95]
const LOOKED_AT_EVERY = 25
/** Milliseconds between two collections of garbage that are asked for. */
const COLLECTED_EVERY = { refusing: 2000, shedding: 200 }
const RETRY_AFTER = 5

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
    if (!isRefusing || request.routeOptions.config.isProbe || !app.exchanges.hasOthers) done()
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
