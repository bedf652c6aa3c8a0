import cluster, { type Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import type { Variables } from '../config/environment.js'
import { isMessage, type Message, type Place } from './messages.js'
import type { Recipient, Relay } from './relay.js'
import type { Watched } from './watch.js'

/** How a process ended: its exit code, or the signal that ended it, or why it was never started. */
export interface End {
  readonly code: number | null
  readonly signal: string | null
  readonly failure?: string
}

/** Variable by which a worker knows its number, how many there are, and the name of the host. */
export const WORKER = 'REGISTRY_WORKER'

/** A process that serves the ports of the host together with others. */
export class RunningWorker implements Recipient, Watched {
  /** Where it listens; never resolves when it ends before. */
  readonly ready: Promise<Place>
  readonly ended: Promise<End>
  private readonly process: Worker
  private hasAnswered = false
  private waitedMs = 0

  /** Starts it; `name` is what it finds in `WORKER`. */
  constructor(env: Variables, name: string, relay: Relay) {
    this.process = cluster.fork({ ...env, [WORKER]: name })
    this.ready = new Promise((resolve) => {
      this.process.on('message', (message: unknown) => {
        if (!isMessage(message)) return
        if (message.kind === 'ready') resolve(message.place)
        else if (message.kind === 'pong') this.hasAnswered = true
        else relay.receive(this, message)
      })
    })
    relay.add(this)
    this.ended = new Promise<End>((resolve) => {
      this.process.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }))
      // The program or room for one more process is missing. Otherwise it is a message that cannot be sent, as it has ended.
      this.process.on('error', ({ message }) => {
        if (this.process.process.pid === undefined) resolve({ code: null, signal: null, failure: message })
      })
    }).finally(() => relay.remove(this))
  }

  send(message: Message): void {
    if (this.process.isConnected()) this.process.send(message, undefined, () => undefined)
  }

  answers(): boolean {
    const { hasAnswered } = this
    this.hasAnswered = false
    // Again and again: what comes before it has joined us is lost.
    this.send({ kind: 'ping' })
    return hasAnswered
  }

  waited(): number {
    const before = this.waitedMs
    this.waitedMs = processorWaitMs(this.process.process.pid) ?? before
    return this.waitedMs - before
  }

  /** Sends a signal: a message would be lost while it starts, which `SIGTERM` ends at once. */
  end(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.process.process.kill(signal)
  }
}

/** For how long a process has waited for a processor since it began; undefined where only Linux would tell. */
function processorWaitMs(pid: number | undefined): number | undefined {
  try {
    const nanoseconds = /^\d+ (\d+) /.exec(readFileSync(`/proc/${pid}/schedstat`, 'utf8'))?.[1]
    return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}
