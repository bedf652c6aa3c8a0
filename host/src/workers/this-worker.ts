import cluster from 'node:cluster'
import type { Variables } from '../config/environment.js'
import { isMessage, type Message, type Place } from './messages.js'
import { WORKER } from './running-worker.js'
import { Siblings } from './siblings.js'

/** This process, as one of the workers of a host. */
export interface ThisWorker {
  readonly siblings: Siblings
  /** Tells the process that started it where it listens. */
  listens(place: Place): void
}

/** Joins the workers of a host; `undefined` for a process that is none. */
export function joinWorkers(env: Variables): ThisWorker | undefined {
  const [number, count, host] = (env[WORKER] ?? '').split('/')
  if (!cluster.isWorker || host === undefined) return undefined
  // The process that started it may have ended: so will this one.
  const send = (message: Message) => void process.send?.(message, undefined, undefined, () => undefined)
  const siblings = new Siblings(Number(number), Number(count), host, send)
  process.on('message', (message: unknown) => {
    if (isMessage(message)) siblings.receive(message)
  })
  return { siblings, listens: (place) => send({ kind: 'ready', place }) }
}
