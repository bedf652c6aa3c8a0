import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Logger } from '../kernel/logger.js'

/** What a thread is told: something to know, or a job to answer. */
export type ToThread<Message, Job> = { readonly message: Message } | { readonly number: number; readonly job: Job }

/** Its answer to a job. */
export interface FromThread<Answer> {
  readonly number: number
  readonly answer: Answer
}

/** How a thread is run. */
export interface ThreadOptions<Message> {
  /** What its jobs are, for the log: "The thread that … failed". */
  readonly does: string
  /** Its compiled module, which takes `ToThread` and gives `FromThread`. */
  readonly module: URL
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /** How long it may answer nothing while jobs wait, before it is ended. */
  readonly silenceMs: number
  readonly logger: Logger
  /** What it must know for its jobs; told before the next one where it is another object than was told before. */
  knows?(): Message
  /** Called when it ended, whatever for. */
  ended?(): void
}

/**
 * A thread that answers jobs one after the other. It is made for the first job, and anew for the first one after it ended;
 * the process may end while nothing waits for it.
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

  /** Its answer; `undefined` when it ended before, or fell silent and was ended. */
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

  /** Ends it, and what waits for it without an answer. */
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

  /** From now on it has so long for its next answer. */
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
