import { CardError, type CardFault } from '@signed-registry/core'
import type { Job, JobResult } from './job.js'
import { type JobLimits, PdfProcess } from './pdf-process.js'

/** Limits of the process pool. */
export interface ProcessesLimits extends JobLimits {
  readonly processes: number
  /** Maximum length of the queue; further jobs are refused. */
  readonly waiting: number
  /** Milliseconds that a job waits in the queue before it is refused. */
  readonly waitMs: number
}

/** An idle process is ended after this time. */
const IDLE_MS = 30_000

interface QueuedJob {
  start(): void
  refuse(fault: CardFault): void
}

/** A pool of processes that runs jobs in the order of arrival; processes start on demand and end when idle. */
export class PdfProcesses {
  private readonly all = new Set<PdfProcess>()
  private readonly idle = new Map<PdfProcess, NodeJS.Timeout>()
  private readonly queue = new Set<QueuedJob>()
  private running = 0
  private isClosed = false

  constructor(private readonly limits: ProcessesLimits) {}

  /** Runs a job. Rejects with `CardError`. */
  async run(job: Job): Promise<JobResult> {
    await this.acquire()
    try {
      const one = this.process()
      const { done, isSpent } = await one.ask(job)
      if (isSpent) one.end()
      else this.park(one)
      return done
    } finally {
      this.startNext()
    }
  }

  /** Ends all processes and waits until they have exited. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const waiting of [...this.queue]) waiting.refuse('unavailable')
    const all = [...this.all]
    for (const one of all) one.end()
    await Promise.all(all.map(({ ended }) => ended))
  }

  private async acquire(): Promise<void> {
    if (this.isClosed) throw new CardError('unavailable')
    if (this.running < this.limits.processes) {
      this.running += 1
      return
    }
    if (this.queue.size >= this.limits.waiting) throw new CardError('busy')
    await new Promise<void>((resolve, reject) => {
      const settled = () => {
        clearTimeout(late)
        this.queue.delete(waiting)
      }
      const waiting: QueuedJob = {
        start() {
          settled()
          resolve()
        },
        refuse(fault) {
          settled()
          reject(new CardError(fault))
        },
      }
      const late = setTimeout(() => waiting.refuse('busy'), this.limits.waitMs)
      this.queue.add(waiting)
    })
  }

  /** Hands the slot to the job that has waited longest. */
  private startNext(): void {
    const [next] = this.queue
    if (next === undefined) this.running -= 1
    else next.start()
  }

  private process(): PdfProcess {
    const [rested] = this.idle
    if (rested !== undefined) {
      const [one, timer] = rested
      clearTimeout(timer)
      this.idle.delete(one)
      return one
    }
    if (this.isClosed) throw new CardError('unavailable')
    const one = startProcess(this.limits)
    this.all.add(one)
    void one.ended.then(() => {
      this.all.delete(one)
      clearTimeout(this.idle.get(one))
      this.idle.delete(one)
    })
    return one
  }

  private park(one: PdfProcess): void {
    if (this.all.has(one)) this.idle.set(one, setTimeout(() => one.end(), IDLE_MS).unref())
  }
}

function startProcess(limits: JobLimits): PdfProcess {
  try {
    return new PdfProcess(limits)
  } catch (cause) {
    throw new CardError('failed', { cause })
  }
}
