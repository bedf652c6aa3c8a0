import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Variables } from '../config/environment.js'
import { type Place, RELOAD, REPLACED } from './messages.js'
import { Relay } from './relay.js'
import { type End, RunningWorker } from './running-worker.js'
import { ROUND_MS, Watch } from './watch.js'

/** What `supervise` takes. */
export interface Supervision {
  readonly workers: number
  /** The environment of the workers, which stays as it is while they run and are replaced. */
  readonly env: Variables
  log(level: 'info' | 'error', message: string, facts?: object): void
  /** Called once, when all of them listen. */
  greet(place: Place): void
  /** Called once, with what tells all workers, also later ones, which variables have changed, and to read anew what can change. */
  onHangup(reload: (changed: Variables) => void): void
  /** Milliseconds that they have to answer what they have begun. */
  readonly closingMs: number
}

/**
 * Runs the workers of a host until a signal stops it; answers the exit code. The first one listens before the others start, so
 * that it alone makes keys and changes the schema, and what keeps a host from starting is said once. One that ends is replaced, and
 * one that hangs is killed.
 */
export function supervise(options: Supervision): Promise<number> {
  const [, script = ''] = process.argv
  // Workers accept by themselves: a connection that this process passed on to one that is killed would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: script, args: process.argv.slice(2) })
  return new Supervisor(options).run()
}

/** Signals that stop a host in order. */
export const STOPPING = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'] as const
/** Starts in a row that failed, after which a host gives up, if no other worker serves. */
const MOST_FAILURES = 3
/** One that ends sooner after it listened is replaced after a pause, as one that could not start. */
const STEADY_MS = 1000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 30_000]

/** How a worker ends that had begun nothing. */
const ENDED: End = { code: 0, signal: null }

class Supervisor {
  private readonly relay = new Relay()
  /** A name of this host until it ends, for the others that share its database. */
  private readonly host = randomBytes(4).toString('hex')
  private readonly running = new Map<number, RunningWorker>()
  private readonly serving = new Set<number>()
  private readonly stopping = new AbortController()
  private readonly watch = new Watch<RunningWorker>()
  private readonly hanging = new Set<RunningWorker>()
  private readonly replaced = { ended: 0, hung: 0 }
  private isGreeted = false
  /** Variables that have changed since the start, and how often workers were told so. */
  private changed: Variables = {}
  private reloads = 0
  private readonly reloadsAtStart = new WeakMap<RunningWorker, number>()

  constructor(private readonly use: Supervision) {}

  async run(): Promise<number> {
    const { workers, log } = this.use
    for (const signal of STOPPING) process.on(signal, () => this.stop())
    this.use.onHangup((changed) => this.reload(changed))
    const rounds = setInterval(() => this.look(), ROUND_MS).unref()
    this.stopping.signal.addEventListener('abort', () => clearInterval(rounds))
    const first = this.start(1)
    const begun = await Promise.race([first.ready, first.ended])
    if (!('url' in begun)) {
      if (this.isStopping) return 0
      if (begun.code === null) log('error', 'a worker ended before it listened', { worker: 1, ...begun })
      return begun.code ?? 1
    }
    const numbers = Array.from({ length: this.isStopping ? 1 : workers }, (_, index) => index + 1)
    const ends = await Promise.all(
      numbers.map((number) => this.keep(number, number === 1 ? first : this.start(number))),
    )
    return ends.every((end) => end?.code === 0) ? 0 : 1
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private start(number: number): RunningWorker {
    const worker = new RunningWorker(
      { ...this.use.env, ...this.changed },
      `${number}/${this.use.workers}/${this.host}`,
      this.relay,
    )
    this.running.set(number, worker)
    this.reloadsAtStart.set(worker, this.reloads)
    return worker
  }

  /** Keeps a worker running; answers how the last one ended. */
  private async keep(number: number, first: RunningWorker): Promise<End> {
    let [failures, brief] = [0, 0]
    for (let worker = first; ; worker = this.start(number)) {
      const listens = await Promise.race([worker.ready, worker.ended.then(() => undefined)])
      if (listens !== undefined) {
        this.tellReplaced([worker])
        // One that was starting has not heard of it.
        if (this.reloadsAtStart.get(worker) !== this.reloads) this.tell([worker], RELOAD, this.changed)
        this.serves(number, listens)
      }
      const since = performance.now()
      const end = await worker.ended
      this.serving.delete(number)
      this.running.delete(number)
      if (this.isStopping) return listens === undefined ? ENDED : end
      failures = listens === undefined ? failures + 1 : 0
      brief = performance.now() - since < STEADY_MS ? brief + 1 : 0
      if (failures >= MOST_FAILURES && this.serving.size === 0) {
        this.use.log('error', 'no worker can be started: giving up', { worker: number, ...end })
        this.stop()
        return end
      }
      this.use.log('error', 'a worker ended, and is replaced', { worker: number, ...end })
      this.replaced[this.hanging.delete(worker) ? 'hung' : 'ended'] += 1
      this.tellReplaced(this.running.values())
      const pauseMs = brief === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** brief)
      await pause(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
      if (this.isStopping) return ENDED
    }
  }

  private look(): void {
    const found = this.watch.look(this.running.values(), performance.now())
    if (found === undefined) return
    const [worker] = [...this.running].find(([, running]) => running === found) ?? []
    this.use.log('error', 'a worker hangs, and is killed', { worker })
    this.hanging.add(found)
    found.end('SIGKILL')
  }

  private reload(changed: Variables): void {
    this.changed = { ...this.changed, ...changed }
    this.reloads += 1
    this.tell(this.running.values(), RELOAD, this.changed)
  }

  /** For the metrics: only this process knows it. */
  private tellReplaced(workers: Iterable<RunningWorker>): void {
    this.tell(workers, REPLACED, this.replaced)
  }

  private tell(workers: Iterable<RunningWorker>, topic: string, body: unknown): void {
    for (const worker of workers) worker.send({ kind: 'tell', topic, body })
  }

  private serves(number: number, place: Place): void {
    this.serving.add(number)
    if (this.isGreeted || this.serving.size < this.use.workers) return
    this.isGreeted = true
    this.use.greet(place)
  }

  private stop(): void {
    const killAll = () => {
      for (const worker of this.running.values()) worker.end('SIGKILL')
    }
    // A second signal, as with one process, waits for nothing.
    if (this.isStopping) killAll()
    else {
      this.use.log('info', 'stopping')
      setTimeout(killAll, this.use.closingMs).unref()
    }
    this.stopping.abort()
    for (const worker of this.running.values()) worker.end('SIGTERM')
  }
}
