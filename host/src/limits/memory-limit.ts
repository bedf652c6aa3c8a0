import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ledgerErrors } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

/** The memory limit of the process, and its usage. */
export interface MemoryLimit {
  readonly bytes: number
  used(): number
}

/** What the process that starts workers has. */
const STARTER_BYTES = 160 * 2 ** 20

/** The part of each of so many workers, beside the process that starts them. */
const partOf = (whole: number, workers: number): number =>
  workers === 1 ? whole : (whole - Math.min(STARTER_BYTES, whole / (workers + 1))) / workers

/**
 * The configured limit, or else that of the control group or of `ulimit -d`, if there is one. Of the first two, which are for all
 * processes of a host, each of so many workers has its part.
 */
export function memoryLimit(given: number | undefined, workers = 1): MemoryLimit | undefined {
  if (given !== undefined)
    return given === 0 ? undefined : { bytes: partOf(given, workers), used: process.memoryUsage.rss }
  const data = Number(/^Max data size +(\d+) /m.exec(fileOf('limits'))?.[1] ?? Number.POSITIVE_INFINITY)
  const whole = process.constrainedMemory() || Number.POSITIVE_INFINITY
  if (Math.min(data, whole) >= totalmem()) return undefined
  const group = partOf(whole, workers)
  return data < group ? { bytes: data, used: dataOf } : { bytes: group, used: process.memoryUsage.rss }
}

/** The memory that the kernel counts for `ulimit -d`. */
const dataOf = (): number => 1024 * Number(/^VmData:\s+(\d+) kB/m.exec(fileOf('status'))?.[1] ?? 0)

function fileOf(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** Shares of the limit above which new requests are refused, and bodies in transfer are aborted. */
const [REFUSED, SHED] = [0.85, 0.95]
const CHECK_INTERVAL_MS = 25
/** Milliseconds between two forced garbage collections. */
const COLLECTION_INTERVAL_MS = { refusing: 2000, shedding: 200 }
const RETRY_AFTER = 5

/**
 * Refuses requests other than probes with `serviceBusy`, unread, while the process is close to its memory limit, so that those in
 * progress can finish. When these take too much as well, half of the bodies in transfer are aborted, then half of the rest:
 * better than having the kernel kill the process.
 */
export function refuseWhenFull(app: FastifyInstance, { bytes, used }: MemoryLimit): void {
  let isRefusing = false
  let collectedAt = Number.NEGATIVE_INFINITY
  const look = () => {
    const before = used() / bytes
    isRefusing = before > REFUSED
    const passed = performance.now() - collectedAt
    if (!isRefusing || passed < COLLECTION_INTERVAL_MS[before > SHED ? 'shedding' : 'refusing']) return
    // Refusing everything creates no garbage, so a collection would never be triggered.
    collectGarbage()
    collectedAt = performance.now()
    const left = used() / bytes
    isRefusing = left > REFUSED
    if (left > SHED) app.log.warn({ ended: app.exchanges.shed() }, 'memory is nearly used up')
  }
  const timer = setInterval(look, CHECK_INTERVAL_MS).unref()
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
