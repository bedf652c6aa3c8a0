import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Logger } from '../kernel/logger.js'

/** A message to a thread: context for its jobs, or a job to answer. */
export type ToThread<Message, Job> = { readonly message: Message } | { readonly number: number; readonly job: Job }

/** Its answer to a job. */
export interface FromThread<Answer> {
  readonly number: number
  readonly answer: Answer
}

/** Options of a `JobThread`. */
export interface ThreadOptions<Message> {
  /** What it does, for the log: "The thread that … failed". */
  readonly does: string
  /** Its compiled module, which receives `ToThread` and posts `FromThread`. */
  readonly module: URL
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /** It is terminated after this long without an answer while jobs wait, milliseconds. */
  readonly silenceMs: number
  readonly logger: Logger
  /** Context for its jobs; sent before the next job when it is another object than the last one. */
  knows?(): Message
  /** Called when it has ended for any reason. */
  ended?(): void
}

/**
 * A thread that answers jobs one after the other. It is created for the first job, and again for the first one after it ended;
 * it does not keep the process alive while idle.
 */
export class JobThread<Message, Job, Answer> {
  private worker: Worker | undefined
  private known: Message | undefined
  private lastNumber = 0
  private readonly jobs = new Map<number, (answer: Answer | undefined) => void>()
  private silence: NodeJS.Timeout | undefined

  constructor(private readonly options: ThreadOptions<Message>) {}

  /** How many jobs wait. */
  get waiting(): number {
    return this.jobs.size
  }

  /** The answer to a job; `undefined` when the thread ended or was terminated before. */
  ask(job: Job): Promise<Answer | undefined> {
    this.lastNumber += 1
    const number = this.lastNumber
    return new Promise((resolve) => {
      this.jobs.set(number, resolve)
      this.inform()
      this.post({ number, job })
      this.started.ref()
      if (this.jobs.size === 1) this.listen()
    })
  }

  /** Terminates it; waiting jobs get no answer. */
  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private inform(): void {
    const message = this.options.knows?.()
    if (message === undefined || message === this.known) return
    this.post({ message })
    this.known = message
  }

  private post(message: ToThread<Message, Job>): void {
    this.started.postMessage(message)
  }

  private get started(): Worker {
    if (this.worker) return this.worker
    const { module, workerData, resourceLimits = {}, does, logger } = this.options
    const worker = new Worker(module, { workerData, resourceLimits })
    this.worker = worker
    worker.on('message', ({ number, answer }: FromThread<Answer>) => this.answered(number, answer))
    worker.on('error', (error) => logger.error(`The thread that ${does} failed`, { error }))
    worker.on('exit', () => this.ended(worker))
    worker.unref()
    return worker
  }

  private answered(number: number, answer: Answer | undefined): void {
    const resolve = this.jobs.get(number)
    this.jobs.delete(number)
    if (this.jobs.size === 0) this.worker?.unref()
    this.listen()
    resolve?.(answer)
  }

  /** Restarts the time limit for the next answer. */
  private listen(): void {
    clearTimeout(this.silence)
    if (this.jobs.size === 0) return
    const { silenceMs, does, logger } = this.options
    this.silence = setTimeout(() => {
      logger.error(`The thread that ${does} says nothing and is ended`, { silenceMs })
      void this.close()
    }, silenceMs)
  }

  private ended(worker: Worker): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.known = undefined
    this.options.ended?.()
    for (const number of [...this.jobs.keys()]) this.answered(number, undefined)
  }
}
