import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Variables } from '../config/environment.js'
import { isMessage, type Message, type Place } from './messages.js'
import type { Recipient, Relay } from './relay.js'

/** How a process ended: its exit code, or the signal that ended it. */
export interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** Variable by which a worker knows its number, how many there are, and the name of the host. */
export const WORKER = 'REGISTRY_WORKER'

/** A process that serves the ports of the host together with others. */
export class RunningWorker implements Recipient {
  /** Where it listens; never resolves when it ends before. */
  readonly ready: Promise<Place>
  readonly ended: Promise<End>
  private readonly process: Worker

  /** Starts it; `name` is what it finds in `WORKER`. */
  constructor(env: Variables, name: string, relay: Relay) {
    this.process = cluster.fork({ ...env, [WORKER]: name })
    // A message that cannot be sent any more is for a process that has ended.
    this.process.on('error', () => undefined)
    this.ready = new Promise((resolve) => {
      this.process.on('message', (message: unknown) => {
        if (!isMessage(message)) return
        if (message.kind === 'ready') resolve(message.place)
        else relay.receive(this, message)
      })
    })
    relay.add(this)
    this.ended = once(this.process, 'exit').then(([code, signal]: (number | string | null)[]) => {
      relay.remove(this)
      return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null }
    })
  }

  send(message: Message): void {
    if (this.process.isConnected()) this.process.send(message, undefined, () => undefined)
  }

  kill(): void {
    this.process.process.kill('SIGKILL')
  }
}
